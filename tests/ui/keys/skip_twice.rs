//! `skip` twice.

use pyo3_gc::PyGcTraversable;

struct RawHandle;

#[derive(PyGcTraversable)]
struct Connection {
    #[pyo3_gc(skip, skip)] //~ mistake
    handle: RawHandle,
}

fn main() {}

//~ fix: skip, skip => skip
