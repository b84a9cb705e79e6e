//! Iterators.

use std::collections::{HashSet, VecDeque};

use pyo3::prelude::*;
use pyo3_gc::{pyclass, pymethods};

use crate::node::{Node, NodeId};

/// Whether near nodes come first, or those behind the first edge.
#[pyclass(eq, frozen, hash, from_py_object, rename_all = "SCREAMING_SNAKE_CASE", module = "pyo3_gc_graph")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Order {
    /// All nodes at one distance before those further away.
    BreadthFirst,
    /// All that can be reached through the first edge before the second.
    DepthFirst,
}

/// The nodes that the edges of a node lead to. Edges made meanwhile are seen.
#[pyclass(weakref, module = "pyo3_gc_graph")]
pub(crate) struct Neighbours {
    /// `None` once it is exhausted.
    node: Option<Py<Node>>,
    position: usize,
}

impl Neighbours {
    pub(crate) fn new(node: Py<Node>) -> Self {
        Self { node: Some(node), position: 0 }
    }
}

#[pymethods]
impl Neighbours {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__<'py>(&mut self, py: Python<'py>) -> PyResult<Option<Bound<'py, Node>>> {
        let Some(node) = &self.node else {
            return Ok(None);
        };
        let edge = Node::edge_of(node.bind(py), self.position)?;
        if edge.is_none() {
            self.node = None;
        }
        self.position += 1;
        Ok(edge.map(|edge| edge.get().target(py).clone()))
    }
}

/// The nodes that can be reached from one, each once.
#[pyclass(weakref, module = "pyo3_gc_graph")]
pub(crate) struct Walk {
    #[pyo3(get)]
    order: Order,
    /// Nodes to come, the next one first.
    pending: VecDeque<Py<Node>>,
    /// All that came or are pending; breadth first, none is pending twice.
    seen: HashSet<NodeId>,
}

impl Walk {
    pub(crate) fn new(start: &Bound<'_, Node>, order: Order) -> PyResult<Self> {
        let seen = match order {
            Order::BreadthFirst => HashSet::from([Node::id_of(start)?]),
            Order::DepthFirst => HashSet::new(),
        };
        Ok(Self { order, pending: VecDeque::from([start.clone().unbind()]), seen })
    }
}

#[pymethods]
impl Walk {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__<'py>(&mut self, py: Python<'py>) -> PyResult<Option<Bound<'py, Node>>> {
        while let Some(node) = self.pending.pop_front() {
            let node = node.into_bound(py);
            let targets = Node::edges_of(&node)?.into_iter().map(|edge| edge.get().target(py).clone());
            match self.order {
                Order::BreadthFirst => {
                    for target in targets {
                        if self.seen.insert(Node::id_of(&target)?) {
                            self.pending.push_back(target.unbind());
                        }
                    }
                }
                Order::DepthFirst => {
                    if !self.seen.insert(Node::id_of(&node)?) {
                        continue;
                    }
                    for target in targets.rev() {
                        self.pending.push_front(target.unbind());
                    }
                }
            }
            return Ok(Some(node));
        }
        Ok(None)
    }
}
