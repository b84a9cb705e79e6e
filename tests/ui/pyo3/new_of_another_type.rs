//! A constructor of something else.

use pyo3::prelude::*;
use pyo3_gc::{pyclass, pymethods};

struct Plain;

#[pyclass]
struct Node {
    value: Option<Py<PyAny>>,
}

#[pymethods]
impl Node {
    #[new]
    fn new() -> Plain { //~ mistake
        Plain
    }
}

fn main() {}

//~ fix: #[new] => #[staticmethod]
//~ fix: struct Plain; => #[pyo3::pyclass] struct Plain;
