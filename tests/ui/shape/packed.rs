//! Fields of a packed struct can not be borrowed.

use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
#[repr(packed)] //~ mistake
struct Header {
    tag: u8,
    length: u32,
}

fn main() {}

//~ fix: repr(packed) => repr(C)
