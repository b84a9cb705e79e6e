//! A set of named nodes.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyList};
use pyo3_gc::{pyclass, pymethods};

use crate::access::{read, write};
use crate::errors::{GraphError, UnknownNode};
use crate::event::Event;
use crate::node::Node;
use crate::observers::{Observers, check_callable, find, notify};

/// Nodes, to be found by their names. A node may be part of several graphs, and its edges may leave them.
#[pyclass(subclass, weakref, module = "pyo3_gc_graph")]
#[derive(Default)]
pub(crate) struct Graph {
    nodes: BTreeMap<String, Py<Node>>,
    observers: Observers,
}

impl Graph {
    fn callbacks_of(slf: &Bound<'_, Self>) -> PyResult<Vec<Py<PyAny>>> {
        read(slf, |graph| graph.observers.snapshot(slf.py()))
    }

    fn unknown(name: &str) -> PyErr {
        UnknownNode::new_err(format!("no node is called {name:?}"))
    }
}

#[pymethods]
impl Graph {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    /// Takes a node in, tells the observers, and returns the node. Its name must be new.
    fn add<'py>(slf: &Bound<'py, Self>, node: Bound<'py, Node>) -> PyResult<Bound<'py, Node>> {
        let py = slf.py();
        let name = Node::name_of(&node)?;
        let is_new = write(slf, |graph| match graph.nodes.entry(name.clone()) {
            Entry::Vacant(place) => {
                place.insert(node.clone().unbind());
                true
            }
            Entry::Occupied(_) => false,
        })?;
        if !is_new {
            return Err(GraphError::new_err(format!("there is a node called {name:?} already")));
        }
        let (graph, added) = (slf.clone().unbind(), node.clone().unbind());
        notify(py, &Self::callbacks_of(slf)?, || Event::Added { graph, node: added })?;
        Ok(node)
    }

    /// Removes a node, whose edges stay, tells the observers, and returns the node.
    fn remove<'py>(slf: &Bound<'py, Self>, name: &str) -> PyResult<Bound<'py, Node>> {
        let py = slf.py();
        let node = write(slf, |graph| graph.nodes.remove(name))?.ok_or_else(|| Self::unknown(name))?;
        let (graph, removed) = (slf.clone().unbind(), node.clone_ref(py));
        notify(py, &Self::callbacks_of(slf)?, || Event::Removed { graph, node: removed })?;
        Ok(node.into_bound(py))
    }

    /// Calls `callback` with an `Event` whenever a node is added or removed. Returns it, and so works as a decorator.
    fn observe<'py>(slf: &Bound<'py, Self>, callback: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        check_callable(&callback)?;
        write(slf, |graph| graph.observers.add(callback.clone().unbind()))?;
        Ok(callback)
    }

    /// The opposite of `observe`.
    fn unobserve(slf: &Bound<'_, Self>, callback: &Bound<'_, PyAny>) -> PyResult<()> {
        let found = find(Self::callbacks_of(slf)?, callback)?;
        let removed = write(slf, |graph| graph.observers.take(&found))?;
        drop(removed); // after the borrow: a destructor could come back here
        Ok(())
    }

    fn __getitem__<'py>(slf: &Bound<'py, Self>, name: &str) -> PyResult<Bound<'py, Node>> {
        read(slf, |graph| graph.nodes.get(name).map(|node| node.bind(slf.py()).clone()))?
            .ok_or_else(|| Self::unknown(name))
    }

    fn __contains__(slf: &Bound<'_, Self>, name: &str) -> PyResult<bool> {
        read(slf, |graph| graph.nodes.contains_key(name))
    }

    fn __len__(slf: &Bound<'_, Self>) -> PyResult<usize> {
        read(slf, |graph| graph.nodes.len())
    }

    /// The nodes as they are now, in the order of their names.
    fn __iter__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyIterator>> {
        let py = slf.py();
        let nodes: Vec<_> =
            read(slf, |graph| graph.nodes.values().map(|node| node.bind(py).clone()).collect())?;
        PyList::new(py, nodes)?.try_iter()
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        Ok(format!("<{} of {} nodes>", slf.get_type().name()?, Self::__len__(slf)?))
    }
}
