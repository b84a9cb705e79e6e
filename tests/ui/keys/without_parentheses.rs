//! The attribute without its keys.

use pyo3_gc::PyGcTraversable;

struct RawHandle;

#[derive(PyGcTraversable)]
struct Connection {
    #[pyo3_gc] //~ mistake
    handle: RawHandle,
}

fn main() {}

//~ fix: #[pyo3_gc] => #[pyo3_gc(skip)]
