//! `gc` on a variant.

use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
enum State {
    Closed,
    #[pyo3(gc = false)] //~ mistake
    Open(u64),
}

fn main() {}

//~ fix: #[pyo3(gc = false)] =>
//~ fix: Open(u64) => Open(#[pyo3(gc = true)] u64)
