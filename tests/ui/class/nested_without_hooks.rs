//! A class that may hold references in a struct of its own, without hooks.

use pyo3::prelude::*;
use pyo3_gc::{PyGcTraversable, pyclass};

#[derive(PyGcTraversable)]
struct Links {
    next: Option<Py<PyAny>>,
}

#[pyclass]
struct Node { //~ mistake
    links: Links,
}

fn main() {}

//~ fix: fn main() {} => #[pyo3_gc::pymethods] impl Node {}
