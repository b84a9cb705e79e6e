//! The attribute with a value instead of keys.

use pyo3_gc::PyGcTraversable;

struct RawHandle;

#[derive(PyGcTraversable)]
struct Connection {
    #[pyo3_gc = "skip"] //~ mistake
    handle: RawHandle,
}

fn main() {}

//~ fix: pyo3_gc = "skip" => pyo3_gc(skip)
