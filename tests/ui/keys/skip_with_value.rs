//! `skip` takes no value.

use pyo3_gc::PyGcTraversable;

struct RawHandle;

#[derive(PyGcTraversable)]
struct Connection {
    #[pyo3_gc(skip = true)] //~ mistake
    handle: RawHandle,
}

fn main() {}

//~ fix: skip = true => skip
