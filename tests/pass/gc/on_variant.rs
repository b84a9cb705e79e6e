//! What `ui/gc/on_variant.rs` should have said.

use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
enum State {
    Closed,
    Open(#[pyo3(gc = true)] u64),
}
