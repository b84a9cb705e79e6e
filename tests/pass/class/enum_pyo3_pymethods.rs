//! What `ui/class/enum_pyo3_pymethods.rs` should have said.

use pyo3::prelude::*;

#[pyo3_gc::pyclass]
enum Shape {
    Dot {},
    Group { parts: Vec<Py<PyAny>> },
}

#[pyo3_gc::pymethods]
impl Shape {
    fn is_dot(&self) -> bool {
        matches!(self, Self::Dot {})
    }
}
