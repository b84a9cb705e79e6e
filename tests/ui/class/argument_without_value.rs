//! The argument of the class as a flag.

use pyo3::prelude::*;
use pyo3_gc::{pyclass, pymethods};

#[pyclass(gc)] //~ mistake
struct Node {
    value: Option<Py<PyAny>>,
}

#[pymethods]
impl Node {}

fn main() {}

//~ fix: #[pyclass(gc)] => #[pyclass]
