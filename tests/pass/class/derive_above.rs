//! What `ui/class/derive_above.rs` should have said.

use pyo3::prelude::*;
use pyo3_gc::{PyGcTraversable, pyclass, pymethods};

#[pyclass]
#[derive(PyGcTraversable)]
struct Node {
    value: Option<Py<PyAny>>,
}

#[pymethods]
impl Node {}
