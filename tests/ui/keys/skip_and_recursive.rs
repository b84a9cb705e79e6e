//! A field that is left alone is asked nothing.

use pyo3_gc::PyGcTraversable;

struct RawHandle;

#[derive(PyGcTraversable)]
struct Connection {
    #[pyo3_gc(skip, recursive)] //~ mistake
    handle: RawHandle,
}

fn main() {}

//~ fix: skip, recursive => skip
