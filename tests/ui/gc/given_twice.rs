//! `gc` twice in one attribute.

use pyo3_gc::PyGcTraversable;

struct RawHandle;

#[derive(PyGcTraversable)]
struct Connection {
    #[pyo3(gc = false, gc = false)] //~ mistake
    handle: RawHandle,
}

fn main() {}

//~ fix: false, gc = false => false
