//! What `ui/pyo3/new_of_another_type.rs` should have said.

use pyo3::prelude::*;
use pyo3_gc::{pyclass, pymethods};

struct Plain;

#[pyclass]
struct Node {
    value: Option<Py<PyAny>>,
}

#[pymethods]
impl Node {
    #[new]
    fn new() -> Self {
        Self { value: None }
    }
}
