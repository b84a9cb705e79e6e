//! Hooks in a block that PyO3 does not read: they were never called (pydantic/pydantic#13819).

use pyo3::prelude::*;
use pyo3::{PyTraverseError, PyVisit};
use pyo3_gc::pyclass;

#[pyclass]
struct Node { //~ mistake
    value: Option<Py<PyAny>>,
}

impl Node {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.value)
    }

    fn __clear__(&mut self) {
        self.value = None;
    }
}

fn main() {}

//~ fix: impl Node { => #[pyo3_gc::pymethods] impl Node {
