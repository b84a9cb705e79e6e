//! A key that does not exist, on a variant.

use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
enum State {
    Closed,
    #[pyo3_gc(ignore)] //~ mistake
    Open(u64),
}

fn main() {}

//~ fix: #[pyo3_gc(ignore)] =>
//~ fix: Open(u64) => Open(#[pyo3_gc(clear = false)] u64)
