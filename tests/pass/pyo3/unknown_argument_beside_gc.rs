//! What `ui/pyo3/unknown_argument_beside_gc.rs` should have said.

use pyo3_gc::pyclass;

#[pyclass(gc = false, frozen)]
struct Node {
    value: u64,
}
