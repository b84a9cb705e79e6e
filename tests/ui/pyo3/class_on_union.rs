//! A class that is a union.

use pyo3_gc::pyclass;

#[pyclass] //~ mistake
union Node {
    small: u8,
    large: u64,
}

fn main() {}

//~ fix: union Node => enum Node
//~ fix: small: u8 => Small { value: u8 }
//~ fix: large: u64 => Large { value: u64 }
