//! What `ui/class/argument_twice.rs` should have said.

use pyo3::prelude::*;
use pyo3_gc::pyclass;

#[pyclass(gc = false, frozen)]
struct Node {
    value: Option<Py<PyAny>>,
}
