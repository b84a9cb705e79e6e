//! An exclusion in a variant of a field that could take part.

use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
enum State {
    Closed,
    Open(#[pyo3(gc = false)] u64), //~ mistake
}

fn main() {}

//~ fix: false => true
