//! What `ui/gc/unneeded_with_parameter.rs` should have said.

use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
struct Slot<T> {
    value: T,
    others: Vec<T>,
}

const CYCLES: bool = Slot::<u8>::MAY_CONTAIN_CYCLES;
