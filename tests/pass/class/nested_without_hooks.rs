//! What `ui/class/nested_without_hooks.rs` should have said.

use pyo3::prelude::*;
use pyo3_gc::{PyGcTraversable, pyclass, pymethods};

#[derive(PyGcTraversable)]
struct Links {
    next: Option<Py<PyAny>>,
}

#[pyclass]
struct Node {
    links: Links,
}

#[pymethods]
impl Node {}
