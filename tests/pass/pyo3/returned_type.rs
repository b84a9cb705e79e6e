//! What `ui/pyo3/returned_type.rs` should have said.

use pyo3::prelude::*;
use pyo3_gc::{pyclass, pymethods};

struct Plain;

#[pyclass]
struct Node {
    value: Option<Py<PyAny>>,
}

#[pymethods]
impl Node {
    fn object(&self) -> Option<&Py<PyAny>> {
        self.value.as_ref()
    }
}
