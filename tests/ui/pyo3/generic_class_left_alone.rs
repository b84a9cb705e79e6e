//! A class with a parameter, which PyO3 doesn't have, that is left alone.

use pyo3_gc::pyclass;

#[pyclass(gc = false)]
struct Node<T> { //~ mistake
    value: T,
}

fn main() {}

//~ fix: Node<T> => Node
//~ fix: value: T => value: u64
