//! What `ui/krate/not_a_path.rs` should have said.

use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
#[pyo3_gc(crate = "pyo3_gc")]
struct Slot(u8);
