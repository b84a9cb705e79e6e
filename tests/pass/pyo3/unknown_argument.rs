//! What `ui/pyo3/unknown_argument.rs` should have said.

use pyo3_gc::pyclass;

#[pyclass(frozen)]
struct Node {
    value: u64,
}
