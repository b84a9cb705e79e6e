//! A key, an equals sign, and no value.

use pyo3_gc::PyGcTraversable;

struct RawHandle;

#[derive(PyGcTraversable)]
struct Connection {
    #[pyo3_gc(skip =)] //~ mistake
    handle: RawHandle,
}

fn main() {}

//~ fix: skip = => skip
