//! What `ui/pyo3/unknown_key_beside_gc.rs` should have said.

use pyo3_gc::pyclass;

struct RawHandle;

#[pyclass]
struct Node {
    #[pyo3(gc = false)]
    handle: RawHandle,
}
