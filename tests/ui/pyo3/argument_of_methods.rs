//! An argument of the block that PyO3 doesn't have.

use pyo3::prelude::*;
use pyo3_gc::{pyclass, pymethods};

#[pyclass]
struct Node {
    value: Option<Py<PyAny>>,
}

#[pymethods(nonsense)] //~ mistake
impl Node {}

fn main() {}

//~ fix: nonsense => crate = "::pyo3"
