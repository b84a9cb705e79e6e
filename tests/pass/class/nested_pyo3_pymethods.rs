//! What `ui/class/nested_pyo3_pymethods.rs` should have said.

use pyo3::prelude::*;
use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
struct Links {
    next: Option<Py<PyAny>>,
}

#[pyo3_gc::pyclass]
struct Node {
    links: Links,
}

#[pyo3_gc::pymethods]
impl Node {
    fn is_last(&self) -> bool {
        self.links.next.is_none()
    }
}
