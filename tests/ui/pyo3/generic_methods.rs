//! A block with a parameter, which PyO3 doesn't have.

use pyo3_gc::{pyclass, pymethods};

#[pyclass]
struct Node {
    value: u64,
}

#[pymethods]
impl<'a> Node {} //~ mistake

fn main() {}
