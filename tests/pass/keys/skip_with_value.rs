//! What `ui/keys/skip_with_value.rs` should have said.

use pyo3_gc::PyGcTraversable;

struct RawHandle;

#[derive(PyGcTraversable)]
struct Connection {
    #[pyo3_gc(skip)]
    handle: RawHandle,
}
