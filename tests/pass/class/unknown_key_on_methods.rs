//! What `ui/class/unknown_key_on_methods.rs` should have said.

use pyo3::prelude::*;
use pyo3_gc::{pyclass, pymethods};

#[pyclass]
struct Node {
    value: Option<Py<PyAny>>,
}

#[pymethods]
#[pyo3_gc(crate = "pyo3_gc")]
impl Node {}
