//! `gc = true` on a block says what it does anyway.

use pyo3::prelude::*;
use pyo3_gc::{pyclass, pymethods};

#[pyclass]
struct Node {
    value: Option<Py<PyAny>>,
}

#[pymethods(gc = true)] //~ mistake
impl Node {}

fn main() {}

//~ fix: (gc = true) =>
