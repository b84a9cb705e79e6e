//! Two fields of a type that does not implement the trait.

use pyo3_gc::PyGcTraversable;

struct RawHandle;

#[derive(PyGcTraversable)]
struct Pipe {
    read: RawHandle, //~ mistake
    write: RawHandle, //~ mistake
}

fn main() {}

//~ fix: struct RawHandle; => struct RawHandle; pyo3_gc::leaf!(RawHandle);
