//! What a collection must do to something, and what it mustn't.

use pyo3::intern;
use pyo3::prelude::*;

use super::collect::collect_in_rounds;
use super::serial::undisturbed;
use super::{DropCounter, collect};
use crate::heap::require_cpython;

/// Asserts that what `make` builds is a cycle, and is collected.
///
/// `make` puts probes into the objects that it builds: [`DropCounter::probe`] in a field, or [`DropCounter::object`]
/// wherever they hold any object. What it returns, a handle say, is dropped; then a collection has to drop every probe.
///
/// # Errors
///
/// Those of `make` and of [`collect`].
///
/// # Panics
///
/// - If a probe is left: something holds it that the collector isn't told of, or nothing in the cycle can be cleared.
/// - If there is nothing left to collect, since no cycle was made. A test that can't fail isn't one.
/// - If `make` asks for no probe.
///
/// # Examples
///
/// ```
/// use pyo3::prelude::*;
/// use pyo3_gc::testing::assert_collected;
/// use pyo3_gc::{pyclass, pymethods};
///
/// #[pyclass]
/// struct Node {
///     peers: Vec<Py<PyAny>>,
/// }
///
/// #[pymethods]
/// impl Node {}
///
/// # fn main() -> PyResult<()> {
/// Python::attach(|py| {
///     assert_collected(py, |drops| {
///         let node = Bound::new(py, Node { peers: vec![drops.object(py)?.unbind()] })?;
///         node.borrow_mut().peers.push(node.clone().into_any().unbind());
///         Ok(node)
///     })
/// })
/// # }
/// ```
#[track_caller]
pub fn assert_collected<R>(py: Python<'_>, make: impl FnOnce(&DropCounter) -> PyResult<R>) -> PyResult<()> {
    require_cpython(py, "pyo3_gc::testing")?;
    let drops = DropCounter::new();
    let was_cycle = undisturbed(py, || {
        let before = collections(py)?;
        drop(make(&drops)?);
        let was_left = drops.alive() > 0;
        // Another thread's collection, at the same time, could have been the first to find it.
        let own = collect_in_rounds(py)?;
        Ok(was_left || collections(py)? > before + own)
    })?;
    let (probes, left) = (drops.made(), drops.alive());
    assert!(probes > 0, "nothing is known: `make` put no probe into what it built");
    assert!(was_cycle, "nothing was left to collect: what `make` built isn't held by a cycle");
    assert!(left == 0, "it leaks: {left} of {probes} probes are left after a collection");
    Ok(())
}

/// Asserts that a collection leaves alone what `make` builds, as long as what it returns is held.
///
/// The opposite of [`assert_collected`]; also for what is known to leak.
///
/// # Errors
///
/// Those of `make` and of [`collect`].
///
/// # Panics
///
/// If a probe is dropped by the collection; or if none was there, so that nothing is known.
///
/// # Examples
///
/// ```
/// use pyo3::prelude::*;
/// use pyo3::types::PyDict;
/// use pyo3_gc::testing::assert_kept_alive;
///
/// # fn main() -> PyResult<()> {
/// Python::attach(|py| {
///     assert_kept_alive(py, |drops| {
///         let dict = PyDict::new(py);
///         dict.set_item("itself", &dict)?;
///         dict.set_item("probe", drops.object(py)?)?;
///         Ok(dict)
///     })
/// })
/// # }
/// ```
#[track_caller]
pub fn assert_kept_alive<R>(py: Python<'_>, make: impl FnOnce(&DropCounter) -> PyResult<R>) -> PyResult<()> {
    require_cpython(py, "pyo3_gc::testing")?;
    let drops = DropCounter::new();
    let (before, after) = undisturbed(py, || {
        let held = make(&drops)?;
        let before = drops.alive();
        collect(py)?;
        let after = drops.alive();
        drop(held);
        Ok((before, after))
    })?;
    assert!(before > 0, "nothing is known: no probe is in what `make` built");
    let gone = before - after;
    assert!(gone == 0, "a collection dropped {gone} of {before} probes");
    Ok(())
}

/// How many collections there have been, of all generations.
fn collections(py: Python<'_>) -> PyResult<usize> {
    let stats = py.import(intern!(py, "gc"))?.call_method0(intern!(py, "get_stats"))?;
    let number = |generation: PyResult<Bound<'_, PyAny>>| {
        generation?.get_item(intern!(py, "collections"))?.extract::<usize>()
    };
    stats.try_iter()?.map(number).sum()
}
