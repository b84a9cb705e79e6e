//! What `ui/keys/unknown_on_field.rs` should have said.

use pyo3_gc::PyGcTraversable;

struct RawHandle;

#[derive(PyGcTraversable)]
struct Connection {
    #[pyo3_gc(skip)]
    handle: RawHandle,
}
