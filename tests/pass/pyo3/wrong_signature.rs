//! What `ui/pyo3/wrong_signature.rs` should have said.

use pyo3::prelude::*;
use pyo3_gc::{pyclass, pymethods};

#[pyclass]
struct Node {
    value: Option<Py<PyAny>>,
}

#[pymethods]
impl Node {
    fn is_object(&self, other: &Bound<'_, PyAny>) -> bool {
        self.value.as_ref().is_some_and(|value| other.is(value))
    }
}
