//! What `ui/class/conditional_gc_and_get.rs` should have said.

use pyo3::prelude::*;
use pyo3_gc::{pyclass, pymethods};

#[pyclass]
struct Node {
    value: Option<Py<PyAny>>,
    #[cfg_attr(all(), pyo3(gc = true))]
    #[pyo3(get)]
    size: u64,
}

#[pymethods]
impl Node {}
