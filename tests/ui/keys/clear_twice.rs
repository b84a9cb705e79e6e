//! `clear` twice.

use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
struct Connection {
    #[pyo3_gc(clear = false, clear = true)] //~ mistake
    handle: u8,
}

fn main() {}

//~ fix: false, clear = true => false
