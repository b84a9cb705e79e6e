//! What `ui/pyo3/methods_on_struct.rs` should have said.

use pyo3_gc::{pyclass, pymethods};

#[pyclass]
struct Node {
    value: u64,
}

#[pymethods]
impl Node {}
