//! The same among other representations.

use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
#[repr(C, packed(2))] //~ mistake
struct Header {
    tag: u8,
    length: u32,
}

fn main() {}

//~ fix: packed(2) => align(16)
