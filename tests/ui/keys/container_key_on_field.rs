//! A key of structs on a field.

use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
struct Slot<T> {
    #[pyo3_gc(bound = "T: PyGcTraversable")] //~ mistake
    value: T,
}

fn main() {}

//~ fix: #[pyo3_gc(bound = "T: PyGcTraversable")] =>
//~ fix: struct Slot => #[pyo3_gc(bound = "T: PyGcTraversable")] struct Slot
