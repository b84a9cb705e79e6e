//! What `ui/gc/unneeded_false.rs` should have said.

use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
struct Connection {
    handle: Vec<u8>,
}
