//! One argument, twice.

use pyo3::prelude::*;
use pyo3_gc::{pyclass, pymethods};

#[pyclass]
struct Node {
    value: Option<Py<PyAny>>,
}

#[pymethods(gc = false, gc = false)] //~ mistake
impl Node {}

fn main() {}

//~ fix: #[pymethods(gc = false, gc = false)] => #[pymethods]
