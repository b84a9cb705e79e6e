//! A complex enum that may hold references, with a block of PyO3's own.

use pyo3::prelude::*;

#[pyo3_gc::pyclass]
enum Shape { //~ mistake
    Dot {},
    Group { parts: Vec<Py<PyAny>> },
}

#[pymethods]
impl Shape {
    fn is_dot(&self) -> bool {
        matches!(self, Self::Dot {})
    }
}

fn main() {}

//~ fix: #[pymethods] => #[pyo3_gc::pymethods]
