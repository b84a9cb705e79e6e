//! What `ui/field/without_impl_in_variant.rs` should have said.

use pyo3_gc::PyGcTraversable;

struct RawHandle;

#[derive(PyGcTraversable)]
enum State {
    Closed,
    Open(u8, #[pyo3(gc = false)] RawHandle),
}
