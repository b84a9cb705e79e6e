//! A key, an equals sign, and no value.

use pyo3_gc::PyGcTraversable;

struct RawHandle;

#[derive(PyGcTraversable)]
struct Connection {
    #[pyo3(gc =)] //~ mistake
    handle: RawHandle,
}

fn main() {}

//~ fix: gc = => gc = false
