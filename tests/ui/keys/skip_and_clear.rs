//! A field that is left alone can not be half left alone.

use pyo3_gc::PyGcTraversable;

struct RawHandle;

#[derive(PyGcTraversable)]
struct Connection {
    #[pyo3_gc(skip, clear = false)] //~ mistake
    handle: RawHandle,
}

fn main() {}

//~ fix: skip, clear = false => skip
