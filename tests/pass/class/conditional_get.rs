//! What `ui/class/conditional_get.rs` should have said.

use pyo3::prelude::*;
use pyo3_gc::{pyclass, pymethods};

#[pyclass]
struct Node {
    #[cfg(debug_assertions)]
    #[pyo3(get)]
    value: Option<Py<PyAny>>,
    #[cfg(not(debug_assertions))]
    value: Option<Py<PyAny>>,
}

#[pymethods]
impl Node {}
