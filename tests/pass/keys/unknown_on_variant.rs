//! What `ui/keys/unknown_on_variant.rs` should have said.

use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
enum State {
    Closed,
    Open(#[pyo3_gc(clear = false)] u64),
}
