//! What `ui/keys/skip_twice.rs` should have said.

use pyo3_gc::PyGcTraversable;

struct RawHandle;

#[derive(PyGcTraversable)]
struct Connection {
    #[pyo3_gc(skip)]
    handle: RawHandle,
}
