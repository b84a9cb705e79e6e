//! What `ui/class/left_alone_and_bound.rs` should have said.

use pyo3::prelude::*;
use pyo3_gc::pyclass;

#[pyclass(gc = false)]
#[pyo3_gc(crate = "pyo3_gc")]
struct Node {
    value: Option<Py<PyAny>>,
}
