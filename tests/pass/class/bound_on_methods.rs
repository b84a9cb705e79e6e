//! What `ui/class/bound_on_methods.rs` should have said.

use pyo3::prelude::*;
use pyo3_gc::{pyclass, pymethods};

#[pyclass]
#[pyo3_gc(bound = "")]
struct Node {
    value: Option<Py<PyAny>>,
}

#[pymethods]
impl Node {}
