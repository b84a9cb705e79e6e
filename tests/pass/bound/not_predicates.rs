//! What `ui/bound/not_predicates.rs` should have said.

use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
#[pyo3_gc(bound = "T: PyGcTraversable,")]
struct Slot<T>(T);
