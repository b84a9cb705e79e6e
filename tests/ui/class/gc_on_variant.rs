//! A field's key on a variant of a class.

use pyo3::prelude::*;
use pyo3_gc::{pyclass, pymethods};

#[pyclass]
enum Shape {
    Dot {},
    #[pyo3(gc = true)] //~ mistake
    Group { parts: Vec<Py<PyAny>> },
}

#[pymethods]
impl Shape {}

fn main() {}

//~ fix: #[pyo3(gc = true)] =>
//~ fix: parts: => #[pyo3(gc = true)] parts:
