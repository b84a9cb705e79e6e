//! What `ui/keys/no_comma.rs` should have said.

use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
struct Connection {
    #[pyo3_gc(clear = false, recursive)]
    handle: u8,
}
