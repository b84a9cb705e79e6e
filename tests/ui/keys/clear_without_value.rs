//! `clear` alone.

use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
struct Connection {
    #[pyo3_gc(clear)] //~ mistake
    handle: u8,
}

fn main() {}

//~ fix: (clear) => (clear = false)
