//! A key on the block of methods that belongs on the class.

use pyo3::prelude::*;
use pyo3_gc::{pyclass, pymethods};

#[pyclass]
struct Node {
    value: Option<Py<PyAny>>,
}

#[pymethods]
#[pyo3_gc(bound = "")] //~ mistake
impl Node {}

fn main() {}

//~ fix: #[pyo3_gc(bound = "")] =>
//~ fix: struct Node => #[pyo3_gc(bound = "")] struct Node
