//! A complex enum that may hold references, without hooks.

use pyo3::prelude::*;
use pyo3_gc::pyclass;

#[pyclass]
enum Shape { //~ mistake
    Dot {},
    Group { parts: Vec<Py<PyAny>> },
}

fn main() {}

//~ fix: fn main() {} => #[pyo3_gc::pymethods] impl Shape {}
