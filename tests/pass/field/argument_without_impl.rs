//! What `ui/field/argument_without_impl.rs` should have said.

use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
struct Slot<T>(Option<T>);

#[derive(PyGcTraversable)]
struct Table {
    slot: Slot<u64>,
}
