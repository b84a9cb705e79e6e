//! What `ui/keys/container_key_on_variant.rs` should have said.

use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
#[pyo3_gc(bound = "T: PyGcTraversable")]
enum State<T> {
    Closed,
    Open(T),
}
