//! What `ui/pyo3/generic_methods.rs` should have said.

use pyo3_gc::{pyclass, pymethods};

#[pyclass]
struct Node {
    value: u64,
}

#[pymethods]
impl Node {}
