//! What tells that it is dropped: as a field of a Rust type, and as a Python object.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use pyo3::{PyTraverseError, PyVisit};

use super::locked::probe_drops;

/// Hands out probes, and counts how many of them have been dropped. Clones count together.
///
/// # Examples
///
/// A probe in a field of a class tells when the instance is gone:
///
/// ```
/// use pyo3::prelude::*;
/// use pyo3_gc::testing::{DropCounter, DropProbe, collect};
/// use pyo3_gc::{pyclass, pymethods};
///
/// #[pyclass]
/// struct Node {
///     #[pyo3(get, set)]
///     peer: Option<Py<PyAny>>,
///     probe: DropProbe,
/// }
///
/// #[pymethods]
/// impl Node {}
///
/// # fn main() -> PyResult<()> {
/// Python::attach(|py| {
///     let drops = DropCounter::new();
///     let node = Bound::new(py, Node { peer: None, probe: drops.probe() })?;
///     node.setattr("peer", &node)?;
///     collect(py)?;
///     assert_eq!(drops.dropped(), 0);
///     drop(node);
///     collect(py)?;
///     assert_eq!(drops.dropped(), 1);
///     Ok(())
/// })
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct DropCounter(Arc<Counts>);

#[derive(Debug, Default)]
struct Counts {
    made: AtomicUsize,
    dropped: AtomicUsize,
}

impl DropCounter {
    /// Nothing handed out yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A probe for a field of a Rust type. It owns no Python object, so that the collector has nothing to do with it.
    #[must_use]
    pub fn probe(&self) -> DropProbe {
        self.0.made.fetch_add(1, Ordering::SeqCst);
        DropProbe(Arc::clone(&self.0))
    }

    /// A Python object with a probe in it, for where any object will do. It can be called, which does nothing, and
    /// referred to weakly.
    ///
    /// Its attribute `peer` takes what closes a cycle. That is visited but never cleared: the cycle is collected only
    /// if another part of it lets go.
    ///
    /// # Errors
    ///
    /// `MemoryError`.
    pub fn object<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(Bound::new(py, ProbeObject { peer: None, _probe: self.probe() })?.into_any())
    }

    /// How many probes have been handed out.
    #[must_use]
    pub fn made(&self) -> usize {
        self.0.made.load(Ordering::SeqCst)
    }

    /// How many of them have been dropped.
    #[must_use]
    pub fn dropped(&self) -> usize {
        self.0.dropped.load(Ordering::SeqCst)
    }

    /// How many of them haven't.
    pub(super) fn alive(&self) -> usize {
        self.made() - self.dropped()
    }
}

/// A field that tells a [`DropCounter`] when it is dropped.
#[derive(Debug)]
pub struct DropProbe(Arc<Counts>);
crate::leaf!(DropProbe);
crate::leaf!(DropCounter);

impl Drop for DropProbe {
    fn drop(&mut self) {
        self.0.dropped.fetch_add(1, Ordering::SeqCst);
        probe_drops();
    }
}

/// What [`DropCounter::object`] returns. With PyO3's own macros: the rest of this crate may be what is under test.
#[pyo3::pyclass(name = "DropProbe", module = "pyo3_gc.testing", weakref)]
pub(super) struct ProbeObject {
    #[pyo3(get, set)]
    peer: Option<Py<PyAny>>,
    _probe: DropProbe,
}

#[pyo3::pymethods]
impl ProbeObject {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.peer)
    }

    #[allow(clippy::unused_self, reason = "what makes it a method")]
    #[pyo3(signature = (*_args, **_kwargs))]
    fn __call__(&self, _args: &Bound<'_, PyTuple>, _kwargs: Option<&Bound<'_, PyDict>>) {}
}
