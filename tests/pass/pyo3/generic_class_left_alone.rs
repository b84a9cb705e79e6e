//! What `ui/pyo3/generic_class_left_alone.rs` should have said.

use pyo3_gc::pyclass;

#[pyclass(gc = false)]
struct Node {
    value: u64,
}
