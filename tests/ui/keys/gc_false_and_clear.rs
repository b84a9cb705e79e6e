//! The other spelling.

use pyo3_gc::PyGcTraversable;

struct RawHandle;

#[derive(PyGcTraversable)]
struct Connection {
    #[pyo3(gc = false)]
    #[pyo3_gc(clear = false)] //~ mistake
    handle: RawHandle,
}

fn main() {}

//~ fix: clear = false => skip
//~ fix: #[pyo3(gc = false)] =>
