//! What `ui/gc/unneeded_skip.rs` should have said.

use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
struct Connection {
    handle: Option<String>,
}
