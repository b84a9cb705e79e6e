//! A class of PyO3's own that doesn't derive, with hooks of ours.

use pyo3::prelude::*;

#[pyclass]
struct Node {
    value: Option<Py<PyAny>>,
}

#[pyo3_gc::pymethods]
impl Node {} //~ mistake

fn main() {}

//~ fix: #[pyclass] => #[pyo3_gc::pyclass]
