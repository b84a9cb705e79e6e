//! The argument of the class in parentheses.

use pyo3::prelude::*;
use pyo3_gc::pyclass;

#[pyclass(gc(false))] //~ mistake
struct Node {
    value: Option<Py<PyAny>>,
}

fn main() {}

//~ fix: gc(false) => gc = false
