//! What `ui/class/unneeded_false.rs` should have said.

use pyo3::prelude::*;
use pyo3_gc::{pyclass, pymethods};

#[pyclass]
struct Node {
    value: Option<Py<PyAny>>,
    #[pyo3(get)]
    size: u64,
}

#[pymethods]
impl Node {}
