//! What `ui/pyo3/wrong_signature_of_hook.rs` should have said.

use pyo3::prelude::*;
use pyo3::{PyTraverseError, PyVisit};
use pyo3_gc::{pyclass, pymethods};

#[pyclass(gc = false)]
struct Node {
    value: Option<Py<PyAny>>,
}

#[pymethods]
impl Node {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.value)
    }
}
