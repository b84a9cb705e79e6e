//! A method that returns what isn't Python's.

use pyo3::prelude::*;
use pyo3_gc::{pyclass, pymethods};

struct Plain;

#[pyclass]
struct Node {
    value: Option<Py<PyAny>>,
}

#[pymethods]
impl Node {
    fn plain(&self) -> Plain { //~ mistake
        Plain
    }
}

fn main() {}

//~ fix: struct Plain; => #[pyo3::pyclass] struct Plain;
