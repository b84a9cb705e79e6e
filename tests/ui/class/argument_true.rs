//! The argument of the class that only takes `false`.

use pyo3::prelude::*;
use pyo3_gc::{pyclass, pymethods};

#[pyclass(frozen, gc = true)] //~ mistake
struct Node {
    value: Option<Py<PyAny>>,
}

#[pymethods]
impl Node {}

fn main() {}

//~ fix: frozen, gc = true => frozen
