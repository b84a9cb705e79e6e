//! What `ui/keys/recursive_with_value.rs` should have said.

use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
struct Connection {
    #[pyo3_gc(recursive)]
    handle: u8,
}
