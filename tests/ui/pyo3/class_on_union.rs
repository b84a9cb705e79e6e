//! A class that is a union.

use pyo3_gc::pyclass;

#[pyclass] //~ mistake
union Node {
    small: u8,
    large: u64,
}

fn main() {}
