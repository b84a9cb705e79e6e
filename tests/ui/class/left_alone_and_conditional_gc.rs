//! A class that is left alone, with a key for the derive under a condition.

use pyo3::prelude::*;
use pyo3_gc::pyclass;

#[pyclass(gc = false)]
struct Node {
    #[cfg_attr(all(), pyo3(gc = false))] //~ mistake
    value: Option<Py<PyAny>>,
}

fn main() {}

//~ fix: #[cfg_attr(all(), pyo3(gc = false))] =>
