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
    fn is_bigger(&self, other: u64) -> bool { //~ mistake
        other == 0
    }
}

fn main() {}
