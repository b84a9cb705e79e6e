//! What observers are told.

use pyo3::prelude::*;
use pyo3_gc::{pyclass, pymethods};

use crate::edge::Edge;
use crate::graph::Graph;
use crate::node::Node;

/// What has happened to a node or to a graph.
#[pyclass(frozen, weakref, module = "pyo3_gc_graph")]
pub(crate) enum Event {
    /// A node has a new value.
    ValueChanged {
        /// The node.
        node: Py<Node>,
        /// What its value was.
        old: Py<PyAny>,
        /// What its value is.
        new: Py<PyAny>,
    },
    /// An edge leaves the node.
    Connected {
        /// The edge.
        edge: Py<Edge>,
    },
    /// An edge no longer leaves the node.
    Disconnected {
        /// The edge.
        edge: Py<Edge>,
    },
    /// A node is now part of a graph.
    Added {
        /// The graph.
        graph: Py<Graph>,
        /// The node.
        node: Py<Node>,
    },
    /// A node is no longer part of a graph.
    Removed {
        /// The graph.
        graph: Py<Graph>,
        /// The node.
        node: Py<Node>,
    },
}

#[pymethods]
impl Event {}
