//! A class that is a function.

use pyo3_gc::pyclass;

#[pyclass]
fn node() {} //~ mistake

fn main() {}

//~ fix: fn node() {} => struct Node;
