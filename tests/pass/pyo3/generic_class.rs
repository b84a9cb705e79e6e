//! What `ui/pyo3/generic_class.rs` should have said.

use pyo3_gc::pyclass;

#[pyclass]
struct Node {
    value: u64,
}
