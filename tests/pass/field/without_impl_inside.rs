//! What `ui/field/without_impl_inside.rs` should have said.

use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
struct RawHandle;

#[derive(PyGcTraversable)]
struct Pool {
    handles: Vec<Option<RawHandle>>,
}
