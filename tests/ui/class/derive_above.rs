//! The derive above the class, which can't see it there.

use pyo3::prelude::*;
use pyo3_gc::{PyGcTraversable, pyclass, pymethods};

#[derive(PyGcTraversable)] //~ mistake
#[pyclass]
struct Node {
    value: Option<Py<PyAny>>,
}

#[pymethods]
impl Node {}

fn main() {}

//~ fix: #[derive(PyGcTraversable)] =>
//~ fix: #[pyclass] => #[pyclass] #[derive(PyGcTraversable)]
