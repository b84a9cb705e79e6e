//! A hook by hand with another receiver.

use pyo3::prelude::*;
use pyo3::{PyTraverseError, PyVisit};
use pyo3_gc::{pyclass, pymethods};

#[pyclass(gc = false)]
struct Node {
    value: Option<Py<PyAny>>,
}

#[pymethods]
impl Node {
    fn __traverse__(&mut self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> { //~ mistake
        visit.call(&self.value)
    }
}

fn main() {}

//~ fix: &mut self, visit => &self, visit
