//! What `ui/gc/unneeded_in_generic.rs` should have said.

use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
struct Slot<T, const N: usize> {
    values: [T; N],
    id: u64,
}
