//! What `ui/pyo3/class_on_function.rs` should have said.

use pyo3_gc::pyclass;

#[pyclass]
struct Node;
