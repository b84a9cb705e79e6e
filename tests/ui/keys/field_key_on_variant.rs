//! A key of fields on a variant.

use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
enum State {
    Closed,
    #[pyo3_gc(skip)] //~ mistake
    Open(u64),
}

fn main() {}

//~ fix: #[pyo3_gc(skip)] =>
//~ fix: PyGcTraversable; => PyGcTraversable; struct RawHandle;
//~ fix: Open(u64) => Open(#[pyo3_gc(skip)] RawHandle)
