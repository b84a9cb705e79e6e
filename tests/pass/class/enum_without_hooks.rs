//! What `ui/class/enum_without_hooks.rs` should have said.

use pyo3::prelude::*;
use pyo3_gc::{pyclass, pymethods};

#[pyclass]
enum Shape {
    Dot {},
    Group { parts: Vec<Py<PyAny>> },
}

#[pymethods]
impl Shape {}
