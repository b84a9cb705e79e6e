//! Methods that are a struct.

use pyo3_gc::pymethods;

#[pymethods]
struct Node { //~ mistake
    value: u64,
}

fn main() {}

//~ fix: #[pymethods] => #[pyo3_gc::pyclass]
//~ fix: fn main() {} => #[pymethods] impl Node {}
