//! What `ui/keys/skip_and_with_and_recursive.rs` should have said.

use pyo3_gc::PyGcTraversable;

struct RawHandle;

#[derive(PyGcTraversable)]
struct Connection {
    #[pyo3_gc(skip)]
    handle: RawHandle,
}
