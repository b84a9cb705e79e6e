//! What `ui/class/left_alone_and_conditional_get.rs` should have said.

use pyo3::prelude::*;
use pyo3_gc::pyclass;

#[pyclass(gc = false)]
struct Node {
    #[pyo3(get)]
    value: Option<Py<PyAny>>,
}
