//! Half of the hooks by hand, of a class that is left alone.

use pyo3::prelude::*;
use pyo3_gc::{pyclass, pymethods};

#[pyclass(gc = false)]
struct Node {
    value: Option<Py<PyAny>>,
}

#[pymethods]
impl Node {
    fn __clear__(&mut self) { //~ mistake
        self.value = None;
    }
}

fn main() {}

//~ fix: fn __clear__ => fn __traverse__(&self, _visit: pyo3::PyVisit<'_>) -> Result<(), pyo3::PyTraverseError> { Ok(()) } fn __clear__
