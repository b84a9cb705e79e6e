//! An argument of the class that is neither PyO3's nor ours, beside one that is.

use pyo3_gc::pyclass;

#[pyclass(gc = false, nonsense)] //~ mistake
struct Node {
    value: u64,
}

fn main() {}

//~ fix: nonsense => frozen
