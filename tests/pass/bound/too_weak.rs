//! What `ui/bound/too_weak.rs` should have said.

use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
#[pyo3_gc(bound = "T: PyGcTraversable")]
struct Slot<T> {
    value: Option<T>,
}
