//! What `ui/class/pyo3_pyclass.rs` should have said.

use pyo3::prelude::*;

#[pyo3_gc::pyclass]
struct Node {
    value: Option<Py<PyAny>>,
}

#[pyo3_gc::pymethods]
impl Node {}
