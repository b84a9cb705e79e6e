//! A key of enums on a variant.

use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
enum State<T> {
    Closed,
    #[pyo3_gc(bound = "T: PyGcTraversable")] //~ mistake
    Open(T),
}

fn main() {}
