//! A small graph library for Python: nodes, edges, observers, walks and a memo.
//!
//! Graphs are where reference cycles come from: nodes refer to each other, observers to the node that they watch, and
//! what a memo has computed to whatever it was computed from. Each file here begins with the same import, and none has
//! another word about garbage collection but the derive on helper types:
//!
//! ```ignore
//! use pyo3::prelude::*;
//! use pyo3_gc::{pyclass, pymethods};
//! ```
//!
//! # Threads
//!
//! The module declares that it doesn't need the GIL, which is PyO3's default from 0.28 on. Nodes and graphs are changed
//! through [`access`], memos through their own lock, edges and events never. Iterators belong to one thread at a time,
//! as Python's generators do: what comes second gets a `RuntimeError`.

use pyo3::prelude::*;

mod access;
mod edge;
mod errors;
mod event;
mod graph;
mod memo;
mod node;
mod observers;
mod walk;

/// What the Python package `pyo3_gc_graph` re-exports.
#[pymodule(gil_used = false)]
mod _native {
    #[pymodule_export]
    use super::edge::Edge;
    #[pymodule_export]
    use super::errors::{GraphError, UnknownNode};
    #[pymodule_export]
    use super::event::Event;
    #[pymodule_export]
    use super::graph::Graph;
    #[pymodule_export]
    use super::memo::Memo;
    #[pymodule_export]
    use super::node::Node;
    #[pymodule_export]
    use super::walk::{Neighbours, Order, Walk};
}
