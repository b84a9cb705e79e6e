//! What `ui/class/conditional_get.rs` should have said.

use pyo3::prelude::*;
use pyo3_gc::{pyclass, pymethods};

#[pyclass]
struct Node {
    #[cfg(all())]
    #[pyo3(get)]
    value: Option<Py<PyAny>>,
    #[cfg(not(all()))]
    value: Option<Py<PyAny>>,
}

#[pymethods]
impl Node {}
