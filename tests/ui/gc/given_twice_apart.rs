//! `gc` in two attributes.

use pyo3_gc::PyGcTraversable;

struct RawHandle;

#[derive(PyGcTraversable)]
struct Connection {
    #[pyo3(gc = false)]
    #[pyo3(gc = true)] //~ mistake
    handle: RawHandle,
}

fn main() {}

//~ fix: #[pyo3(gc = true)] =>
