//! Two spellings of one wish.

use pyo3_gc::PyGcTraversable;

struct RawHandle;

#[derive(PyGcTraversable)]
struct Connection {
    #[pyo3(gc = false)]
    #[pyo3_gc(skip)] //~ mistake
    handle: RawHandle,
}

fn main() {}

//~ fix: #[pyo3(gc = false)] =>
