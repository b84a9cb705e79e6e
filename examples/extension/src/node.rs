//! The nodes.

use std::cell::RefCell;
use std::mem;
use std::sync::atomic::{AtomicU64, Ordering};

use pyo3::prelude::*;
use pyo3::types::PyString;
use pyo3_gc::{pyclass, pymethods};

use crate::access::{read, write};
use crate::edge::Edge;
use crate::errors::GraphError;
use crate::event::Event;
use crate::observers::{Observers, check_callable, find, notify};
use crate::walk::{Neighbours, Order, Walk};

/// Tells nodes apart, for as long as the process lives. Owns nothing of Python's, and so costs the collector nothing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, pyo3_gc::PyGcTraversable)]
pub(crate) struct NodeId(u64);

impl NodeId {
    fn next() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// Has a name, a value, edges to other nodes, and observers that are told of changes.
#[pyclass(subclass, weakref, module = "pyo3_gc_graph")]
pub(crate) struct Node {
    id: NodeId,
    name: String,
    value: Option<Py<PyAny>>,
    /// How often the value was set.
    version: u64,
    edges: Vec<Py<Edge>>,
    observers: Observers,
}

impl Node {
    pub(crate) fn name_of(slf: &Bound<'_, Self>) -> PyResult<String> {
        read(slf, |node| node.name.clone())
    }

    pub(crate) fn id_of(slf: &Bound<'_, Self>) -> PyResult<NodeId> {
        read(slf, |node| node.id)
    }

    /// What changes when the value does.
    pub(crate) fn stamp_of(slf: &Bound<'_, Self>) -> PyResult<(NodeId, u64)> {
        read(slf, |node| (node.id, node.version))
    }

    pub(crate) fn edges_of<'py>(slf: &Bound<'py, Self>) -> PyResult<Vec<Bound<'py, Edge>>> {
        read(slf, |node| node.edges.iter().map(|edge| edge.bind(slf.py()).clone()).collect())
    }

    /// The edge at a position, if there are that many.
    pub(crate) fn edge_of<'py>(
        slf: &Bound<'py, Self>,
        position: usize,
    ) -> PyResult<Option<Bound<'py, Edge>>> {
        read(slf, |node| node.edges.get(position).map(|edge| edge.bind(slf.py()).clone()))
    }

    fn callbacks_of(slf: &Bound<'_, Self>) -> PyResult<Vec<Py<PyAny>>> {
        read(slf, |node| node.observers.snapshot(slf.py()))
    }
}

#[pymethods]
impl Node {
    #[new]
    #[pyo3(signature = (name, value=None))]
    fn new(name: String, value: Option<Py<PyAny>>) -> Self {
        Self {
            id: NodeId::next(),
            name,
            value,
            version: 0,
            edges: Vec::new(),
            observers: Observers::default(),
        }
    }

    /// What the node is called.
    #[getter]
    fn name(slf: &Bound<'_, Self>) -> PyResult<String> {
        Self::name_of(slf)
    }

    /// Any object. Observers are told when it is set; an exception of theirs comes out here, and the value stays.
    #[getter]
    fn value(slf: &Bound<'_, Self>) -> PyResult<Option<Py<PyAny>>> {
        read(slf, |node| node.value.as_ref().map(|value| value.clone_ref(slf.py())))
    }

    #[setter]
    fn set_value(slf: &Bound<'_, Self>, value: Option<Py<PyAny>>) -> PyResult<()> {
        let py = slf.py();
        let new = value.as_ref().map_or_else(|| py.None(), |value| value.clone_ref(py));
        let old = write(slf, |node| {
            node.version += 1;
            mem::replace(&mut node.value, value)
        })?;
        notify(py, &Self::callbacks_of(slf)?, || Event::ValueChanged {
            node: slf.clone().unbind(),
            old: old.unwrap_or_else(|| py.None()),
            new,
        })
    }

    /// The edges that leave the node.
    #[getter]
    fn edges<'py>(slf: &Bound<'py, Self>) -> PyResult<Vec<Bound<'py, Edge>>> {
        Self::edges_of(slf)
    }

    /// Makes an edge to `target`, and tells the observers.
    #[pyo3(signature = (target, data=None))]
    fn connect<'py>(
        slf: &Bound<'py, Self>,
        target: Py<Self>,
        data: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, Edge>> {
        let py = slf.py();
        let edge = Bound::new(py, Edge::new(slf.clone().unbind(), target, data))?;
        write(slf, |node| node.edges.push(edge.clone().unbind()))?;
        notify(py, &Self::callbacks_of(slf)?, || Event::Connected { edge: edge.clone().unbind() })?;
        Ok(edge)
    }

    /// Removes an edge that leaves the node, and tells the observers.
    fn disconnect(slf: &Bound<'_, Self>, edge: Py<Edge>) -> PyResult<()> {
        let removed = write(slf, |node| {
            let position = node.edges.iter().position(|known| known.is(&edge))?;
            Some(node.edges.remove(position))
        })?;
        if removed.is_none() {
            let message = format!("{} doesn't leave {}", edge.bind(slf.py()).repr()?, slf.repr()?);
            return Err(GraphError::new_err(message));
        }
        notify(slf.py(), &Self::callbacks_of(slf)?, || Event::Disconnected { edge })
    }

    /// Calls `callback` with an `Event` after each change. Returns it, and so works as a decorator.
    fn observe<'py>(slf: &Bound<'py, Self>, callback: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        check_callable(&callback)?;
        write(slf, |node| node.observers.add(callback.clone().unbind()))?;
        Ok(callback)
    }

    /// The opposite of `observe`.
    fn unobserve(slf: &Bound<'_, Self>, callback: &Bound<'_, PyAny>) -> PyResult<()> {
        let found = find(Self::callbacks_of(slf)?, callback)?;
        let removed = write(slf, |node| node.observers.take(&found))?;
        drop(removed); // after the borrow: a destructor could come back here
        Ok(())
    }

    /// The nodes that the edges lead to, in the order in which they were made.
    fn neighbours(slf: Py<Self>) -> Neighbours {
        Neighbours::new(slf)
    }

    /// The nodes that can be reached from here, this one first, each once.
    #[pyo3(signature = (order=Order::BreadthFirst))]
    fn walk(slf: &Bound<'_, Self>, order: Order) -> PyResult<Walk> {
        Walk::new(slf, order)
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let name = PyString::new(slf.py(), &Self::name_of(slf)?);
        Ok(format!("{}({})", slf.get_type().name()?, name.repr()?))
    }
}

/// A node drops its edges, which drop their nodes, and so on: a long chain would overflow the stack. So only the
/// outermost of such nested drops works, and the others leave their part to it.
impl Drop for Node {
    fn drop(&mut self) {
        type Part = (Vec<Py<Edge>>, Option<Py<PyAny>>);
        thread_local! {
            static LEFT: RefCell<Option<Vec<Part>>> = const { RefCell::new(None) };
        }
        let part = (mem::take(&mut self.edges), self.value.take());
        let outermost = LEFT.with_borrow_mut(|left| {
            let outermost = left.is_none();
            left.get_or_insert_default().push(part);
            outermost
        });
        if !outermost {
            return;
        }
        while let Some(part) = LEFT.with_borrow_mut(|left| left.as_mut().and_then(Vec::pop)) {
            drop(part);
        }
        LEFT.set(None);
    }
}
