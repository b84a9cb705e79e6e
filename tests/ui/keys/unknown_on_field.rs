//! A key that does not exist, on a field.

use pyo3_gc::PyGcTraversable;

struct RawHandle;

#[derive(PyGcTraversable)]
struct Connection {
    #[pyo3_gc(skipped)] //~ mistake
    handle: RawHandle,
}

fn main() {}

//~ fix: skipped => skip
