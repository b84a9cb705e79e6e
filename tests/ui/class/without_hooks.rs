//! A class that may hold references, without hooks.

use pyo3::prelude::*;
use pyo3_gc::pyclass;

#[pyclass]
struct Node { //~ mistake
    value: Option<Py<PyAny>>,
}

fn main() {}

//~ fix: fn main() {} => #[pyo3_gc::pymethods] impl Node {}
