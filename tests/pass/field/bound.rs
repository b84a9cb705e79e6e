//! What `ui/field/bound.rs` should have said.

use pyo3::prelude::*;
use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
struct Call {
    callee: Py<PyAny>,
}
