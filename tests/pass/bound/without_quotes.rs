//! What `ui/bound/without_quotes.rs` should have said.

use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
#[pyo3_gc(bound = "T: PyGcTraversable + Send, u8: PyGcTraversable")]
struct Slot<T>(T);
