//! What leads from one node to another.

use pyo3::prelude::*;
use pyo3_gc::{pyclass, pymethods};

use crate::node::Node;

/// Leads from one node to another. Made by `Node.connect`.
///
/// An edge never changes, and so can't be cleared: a cycle through it is broken at its nodes.
#[pyclass(frozen, weakref, module = "pyo3_gc_graph")]
pub(crate) struct Edge {
    /// Where it leaves.
    #[pyo3(get)]
    source: Py<Node>,
    /// Where it leads.
    #[pyo3(get)]
    target: Py<Node>,
    /// Whatever belongs to it: a weight, a label, a callback.
    #[pyo3(get)]
    data: Option<Py<PyAny>>,
}

impl Edge {
    pub(crate) fn new(source: Py<Node>, target: Py<Node>, data: Option<Py<PyAny>>) -> Self {
        Self { source, target, data }
    }

    pub(crate) fn target<'py>(&self, py: Python<'py>) -> &Bound<'py, Node> {
        self.target.bind(py)
    }
}

#[pymethods]
impl Edge {
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let [source, target] = [&self.source, &self.target].map(|node| Node::name_of(node.bind(py)));
        Ok(format!("<Edge {:?} -> {:?}>", source?, target?))
    }
}
