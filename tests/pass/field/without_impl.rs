//! What `ui/field/without_impl.rs` should have said.

use pyo3_gc::PyGcTraversable;

struct RawHandle(*mut u8, fn());

#[derive(PyGcTraversable)]
struct Connection {
    name: String,
    #[pyo3(gc = false)]
    handle: RawHandle,
}
