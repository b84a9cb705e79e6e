//! What `ui/keys/field_keys_on_container.rs` should have said.

use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
struct Slot(#[pyo3_gc(recursive)] u8);
