//! Which field of a union is live is not known.

use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
union Bits { //~ mistake
    float: f32,
    int: u32,
}

fn main() {}
