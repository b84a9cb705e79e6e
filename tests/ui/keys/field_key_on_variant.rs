//! A key of fields on a variant.

use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
enum State {
    Closed,
    #[pyo3_gc(skip)] //~ mistake
    Open(u64),
}

fn main() {}
