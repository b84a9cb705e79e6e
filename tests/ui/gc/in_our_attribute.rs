//! `gc` in the attribute that does not have it.

use pyo3_gc::PyGcTraversable;

struct RawHandle;

#[derive(PyGcTraversable)]
struct Connection {
    #[pyo3_gc(gc = false)] //~ mistake
    handle: RawHandle,
}

fn main() {}

//~ fix: pyo3_gc(gc = false) => pyo3(gc = false)
