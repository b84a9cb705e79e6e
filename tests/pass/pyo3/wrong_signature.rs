//! What `ui/pyo3/wrong_signature.rs` should have said.

use pyo3::prelude::*;
use pyo3_gc::{pyclass, pymethods};

#[pyclass]
struct Node {
    value: Option<Py<PyAny>>,
}

#[pymethods]
impl Node {
    fn is_bigger(&self, other: u64) -> bool {
        other == 0
    }
}
