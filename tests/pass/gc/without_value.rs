//! What `ui/gc/without_value.rs` should have said.

use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
struct Connection {
    #[pyo3(gc = true)]
    handle: u8,
}
