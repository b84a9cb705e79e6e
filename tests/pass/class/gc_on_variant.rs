//! What `ui/class/gc_on_variant.rs` should have said.

use pyo3::prelude::*;
use pyo3_gc::{pyclass, pymethods};

#[pyclass]
enum Shape {
    Dot {},
    Group {
        #[pyo3(gc = true)]
        parts: Vec<Py<PyAny>>,
    },
}

#[pymethods]
impl Shape {}
