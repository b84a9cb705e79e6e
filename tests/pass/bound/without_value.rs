//! What `ui/bound/without_value.rs` should have said.

use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
struct Slot<T>(T);
