//! `gc` on a variant.

use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
enum State {
    Closed,
    #[pyo3(gc = false)] //~ mistake
    Open(u64),
}

fn main() {}
