//! An argument of the class that is neither PyO3's nor ours.

use pyo3_gc::pyclass;

#[pyclass(nonsense)] //~ mistake
struct Node {
    value: u64,
}

fn main() {}

//~ fix: nonsense => frozen
