//! A field's key on a class.

use pyo3::prelude::*;
use pyo3_gc::{pyclass, pymethods};

#[pyclass]
#[pyo3(gc = false)] //~ mistake
struct Node {
    value: Option<Py<PyAny>>,
}

#[pymethods]
impl Node {}

fn main() {}

//~ fix: #[pyo3(gc = false)] =>
//~ fix: value: => #[pyo3(gc = true)] value:
