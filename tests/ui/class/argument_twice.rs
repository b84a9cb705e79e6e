//! The argument of the class, twice.

use pyo3::prelude::*;
use pyo3_gc::pyclass;

#[pyclass(gc = false, frozen, gc = false)] //~ mistake
struct Node {
    value: Option<Py<PyAny>>,
}

fn main() {}

//~ fix: frozen, gc = false => frozen
