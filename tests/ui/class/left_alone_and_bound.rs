//! A key for the derive, on a class that has none.

use pyo3::prelude::*;
use pyo3_gc::pyclass;

#[pyclass(gc = false)]
#[pyo3_gc(
    bound = "", //~ mistake
    crate = "pyo3_gc",
)]
struct Node {
    value: Option<Py<PyAny>>,
}

fn main() {}

//~ fix: bound = "", =>
