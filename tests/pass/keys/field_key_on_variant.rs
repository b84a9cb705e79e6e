//! What `ui/keys/field_key_on_variant.rs` should have said.

use pyo3_gc::PyGcTraversable;

struct RawHandle;

#[derive(PyGcTraversable)]
enum State {
    Closed,
    Open(#[pyo3_gc(skip)] RawHandle),
}
