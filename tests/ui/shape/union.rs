//! Which field of a union is live is not known.

use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
union Bits { //~ mistake
    float: f32,
    int: u32,
}

fn main() {}

//~ fix: union Bits => enum Bits
//~ fix: float: f32 => Float(f32)
//~ fix: int: u32 => Int(u32)
