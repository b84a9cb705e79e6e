//! What `ui/class/hooks_outside_of_methods.rs` should have said.

use pyo3::prelude::*;
use pyo3::{PyTraverseError, PyVisit};
use pyo3_gc::{pyclass, pymethods};

#[pyclass]
struct Node {
    value: Option<Py<PyAny>>,
}

#[pymethods]
impl Node {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.value)
    }

    fn __clear__(&mut self) {
        self.value = None;
    }
}
