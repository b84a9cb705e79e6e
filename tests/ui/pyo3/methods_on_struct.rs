//! Methods that are a struct.

use pyo3_gc::pymethods;

#[pymethods]
struct Node { //~ mistake
    value: u64,
}

fn main() {}
