//! What `ui/pyo3/unknown_key.rs` should have said.

use pyo3_gc::pyclass;

#[pyclass]
struct Node {
    #[pyo3(get)]
    value: u64,
}
