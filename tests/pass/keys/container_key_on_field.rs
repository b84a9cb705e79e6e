//! What `ui/keys/container_key_on_field.rs` should have said.

use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
#[pyo3_gc(bound = "T: PyGcTraversable")]
struct Slot<T> {
    value: T,
}
