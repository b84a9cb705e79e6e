//! An exclusion of a type that takes part if its parameter does: reported at the first use.

use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
struct Slot<T> {
    value: T,
    #[pyo3(gc = false)] //~ mistake
    others: Vec<T>,
}

const CYCLES: bool = Slot::<u8>::MAY_CONTAIN_CYCLES;

fn main() {}

//~ fix: #[pyo3(gc = false)] =>
