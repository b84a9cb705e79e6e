//! What `ui/gc/in_quotes.rs` should have said.

use pyo3_gc::PyGcTraversable;

struct RawHandle;

#[derive(PyGcTraversable)]
struct Connection {
    #[pyo3(gc = false)]
    handle: RawHandle,
}
