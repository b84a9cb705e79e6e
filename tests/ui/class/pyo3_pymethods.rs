//! A class that may hold references, with hooks that nobody writes: the block is PyO3's own.

use pyo3::prelude::*;

#[pyo3_gc::pyclass]
struct Node { //~ mistake
    value: Option<Py<PyAny>>,
}

#[pymethods]
impl Node {
    #[new]
    fn new() -> Self {
        Self { value: None }
    }
}

fn main() {}

//~ fix: #[pymethods] => #[pyo3_gc::pymethods]
