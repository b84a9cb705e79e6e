//! What `ui/class/argument_true.rs` should have said.

use pyo3::prelude::*;
use pyo3_gc::{pyclass, pymethods};

#[pyclass(frozen)]
struct Node {
    value: Option<Py<PyAny>>,
}

#[pymethods]
impl Node {}
