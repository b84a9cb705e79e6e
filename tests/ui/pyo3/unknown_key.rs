//! A key of a field that is neither PyO3's nor ours.

use pyo3_gc::pyclass;

#[pyclass]
struct Node {
    #[pyo3(nonsense)] //~ mistake
    value: u64,
}

fn main() {}

//~ fix: nonsense => get
