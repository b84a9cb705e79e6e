//! A class that is left alone, with a key for the derive.

use pyo3::prelude::*;
use pyo3_gc::pyclass;

#[pyclass(gc = false)]
struct Node {
    #[pyo3(get, gc = false)] //~ mistake
    value: Option<Py<PyAny>>,
}

fn main() {}

//~ fix: get, gc = false => get
