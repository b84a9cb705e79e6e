//! A class that is left alone, with an attribute for the derive.

use pyo3::prelude::*;
use pyo3_gc::pyclass;

#[pyclass(gc = false)]
struct Node {
    #[pyo3_gc(skip)] //~ mistake
    value: Option<Py<PyAny>>,
}

fn main() {}

//~ fix: #[pyo3_gc(skip)] =>
