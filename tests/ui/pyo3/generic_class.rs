//! A class with a parameter, which PyO3 doesn't have.

use pyo3_gc::pyclass;

#[pyclass]
struct Node<T> { //~ mistake
    value: T,
}

fn main() {}

//~ fix: Node<T> => Node
//~ fix: value: T => value: u64
