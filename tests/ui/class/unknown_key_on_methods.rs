//! A key on the block of methods that is none of ours: it was taken out and forgotten.

use pyo3::prelude::*;
use pyo3_gc::{pyclass, pymethods};

#[pyclass]
struct Node {
    value: Option<Py<PyAny>>,
}

#[pymethods]
#[pyo3_gc(krate = "pyo3_gc")] //~ mistake
impl Node {}

fn main() {}

//~ fix: krate => crate
