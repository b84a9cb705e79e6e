//! A key of enums on a variant.

use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
enum State<T> {
    Closed,
    #[pyo3_gc(bound = "T: PyGcTraversable")] //~ mistake
    Open(T),
}

fn main() {}

//~ fix: #[pyo3_gc(bound = "T: PyGcTraversable")] =>
//~ fix: enum State => #[pyo3_gc(bound = "T: PyGcTraversable")] enum State
