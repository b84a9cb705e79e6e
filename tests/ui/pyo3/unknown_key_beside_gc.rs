//! A key of a field that is neither PyO3's nor ours, beside one that is.

use pyo3_gc::pyclass;

struct RawHandle;

#[pyclass]
struct Node {
    #[pyo3(gc = false, nonsense)] //~ mistake
    handle: RawHandle,
}

fn main() {}

//~ fix: false, nonsense => false
