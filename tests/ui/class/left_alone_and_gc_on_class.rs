//! A class that is left alone twice.

use pyo3::prelude::*;
use pyo3_gc::pyclass;

#[pyclass(gc = false)]
#[pyo3(gc = false)] //~ mistake
struct Node {
    value: Option<Py<PyAny>>,
}

fn main() {}

//~ fix: #[pyo3(gc = false)] =>
