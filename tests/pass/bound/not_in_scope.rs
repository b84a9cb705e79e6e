//! What `ui/bound/not_in_scope.rs` should have said.

use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
#[pyo3_gc(bound = "T: Send")]
struct Slot<T>(#[pyo3(gc = false)] T);
