//! What `ui/pyo3/class_on_union.rs` should have said.

use pyo3_gc::pyclass;

#[pyclass]
enum Node {
    Small { value: u8 },
    Large { value: u64 },
}
