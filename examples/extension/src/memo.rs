//! A frozen class with a lock: what threads may share without a word.

use std::collections::HashMap;
use std::mem;
use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::exceptions::PyBaseException;
use pyo3::prelude::*;
use pyo3_gc::{pyclass, pymethods};

use crate::node::{Node, NodeId};

/// Calls a function once for each node and remembers the outcome, until the node's value is set.
///
/// What it remembers may refer back to the memo or to the node. `compute` itself can't be replaced.
#[pyclass(frozen, weakref, module = "pyo3_gc_graph")]
pub(crate) struct Memo {
    /// Called with a node.
    #[pyo3(get)]
    compute: Py<PyAny>,
    entries: Mutex<HashMap<NodeId, Entry>>,
}

#[derive(pyo3_gc::PyGcTraversable)]
struct Entry {
    /// The node's, when the outcome was computed.
    version: u64,
    outcome: Outcome,
}

#[derive(pyo3_gc::PyGcTraversable)]
enum Outcome {
    Value(Py<PyAny>),
    /// Not a `PyErr`, which would hide from the collector what the traceback's frames refer to.
    Failure(Py<PyBaseException>),
}

impl Outcome {
    fn of(py: Python<'_>, result: PyResult<Py<PyAny>>) -> Self {
        match result {
            Ok(value) => Self::Value(value),
            Err(error) => Self::Failure(error.into_value(py)),
        }
    }

    fn clone_ref(&self, py: Python<'_>) -> Self {
        match self {
            Self::Value(value) => Self::Value(value.clone_ref(py)),
            Self::Failure(exception) => Self::Failure(exception.clone_ref(py)),
        }
    }

    fn into_result(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        match self {
            Self::Value(value) => Ok(value),
            Self::Failure(exception) => Err(PyErr::from_value(exception.into_bound(py).into_any())),
        }
    }
}

impl Memo {
    /// Whoever locks drops nothing and runs no Python code until it has unlocked. So the lock is held only by attached
    /// threads, none of which waits for anything: blocking can't hang, and a collection, for which all of them stop,
    /// never finds it taken.
    ///
    /// Not `MutexExt::lock_py_attached`, which is for locks that are held for longer: it waits detached, and has then
    /// locked before it is attached again.
    fn lock(&self) -> MutexGuard<'_, HashMap<NodeId, Entry>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn known(&self, py: Python<'_>, id: NodeId, version: u64) -> Option<Outcome> {
        let entries = self.lock();
        let entry = entries.get(&id).filter(|entry| entry.version == version)?;
        Some(entry.outcome.clone_ref(py))
    }
}

#[pymethods]
impl Memo {
    #[new]
    fn new(compute: Py<PyAny>) -> Self {
        Self { compute, entries: Mutex::default() }
    }

    /// What `compute` makes of the node, or raises. Threads that ask for one node at the same time may both compute it.
    fn __call__(&self, py: Python<'_>, node: &Bound<'_, Node>) -> PyResult<Py<PyAny>> {
        let (id, version) = Node::stamp_of(node)?;
        if let Some(outcome) = self.known(py, id, version) {
            return outcome.into_result(py);
        }
        let outcome = Outcome::of(py, self.compute.call1(py, (node,)));
        let entry = Entry { version, outcome: outcome.clone_ref(py) };
        let replaced = self.lock().insert(id, entry);
        drop(replaced); // after the lock: a destructor could come back here
        outcome.into_result(py)
    }

    /// Forgets one node, and says whether it was known.
    fn forget(&self, node: &Bound<'_, Node>) -> PyResult<bool> {
        let id = Node::id_of(node)?;
        let removed = self.lock().remove(&id);
        Ok(removed.is_some())
    }

    /// Forgets all nodes.
    fn clear(&self) {
        let entries = mem::take(&mut *self.lock());
        drop(entries);
    }

    fn __len__(&self) -> usize {
        self.lock().len()
    }
}
