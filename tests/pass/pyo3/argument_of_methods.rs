//! What `ui/pyo3/argument_of_methods.rs` should have said.

use pyo3::prelude::*;
use pyo3_gc::{pyclass, pymethods};

#[pyclass]
struct Node {
    value: Option<Py<PyAny>>,
}

#[pymethods(crate = "::pyo3")]
impl Node {}
