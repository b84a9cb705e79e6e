//! What `ui/class/pyo3_pyclass.rs` should have said.

use pyo3::prelude::*;
use pyo3_gc::PyGcTraversable;

#[pyclass]
#[derive(PyGcTraversable)]
struct Node {
    value: Option<Py<PyAny>>,
}

#[pyo3_gc::pymethods]
impl Node {}
