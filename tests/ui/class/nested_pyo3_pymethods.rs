//! A class that may hold references in a struct of its own, with a block of PyO3's own.

use pyo3::prelude::*;
use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
struct Links {
    next: Option<Py<PyAny>>,
}

#[pyo3_gc::pyclass]
struct Node { //~ mistake
    links: Links,
}

#[pymethods]
impl Node {
    fn is_last(&self) -> bool {
        self.links.next.is_none()
    }
}

fn main() {}

//~ fix: #[pymethods] => #[pyo3_gc::pymethods]
