//! An exclusion in a generic item of a field that could take part, whatever the parameters.

use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
struct Slot<T, const N: usize> {
    values: [T; N],
    #[pyo3(gc = false)] //~ mistake
    id: u64,
}

fn main() {}

//~ fix: #[pyo3(gc = false)] =>
