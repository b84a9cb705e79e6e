//! A property with an argument.

use pyo3::prelude::*;
use pyo3_gc::{pyclass, pymethods};

#[pyclass]
struct Node {
    value: Option<Py<PyAny>>,
}

#[pymethods]
impl Node {
    #[getter]
    fn is_object(&self, other: &Bound<'_, PyAny>) -> bool { //~ mistake
        self.value.as_ref().is_some_and(|value| other.is(value))
    }
}

fn main() {}

//~ fix: #[getter] =>
