//! A class that is left alone, and derives.

use pyo3::prelude::*;
use pyo3_gc::{PyGcTraversable, pyclass, pymethods};

#[pyclass(gc = false)] //~ mistake
#[derive(PyGcTraversable)]
struct Node {
    value: Option<Py<PyAny>>,
}

#[pymethods]
impl Node {}

fn main() {}

//~ fix: #[pyclass(gc = false)] => #[pyclass]
