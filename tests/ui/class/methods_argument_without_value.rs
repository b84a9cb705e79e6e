//! `gc` without a value.

use pyo3::prelude::*;
use pyo3_gc::{pyclass, pymethods};

#[pyclass]
struct Node {
    value: Option<Py<PyAny>>,
}

#[pymethods(gc)] //~ mistake
impl Node {}

fn main() {}

//~ fix: #[pymethods(gc)] => #[pymethods]
