//! Two keys without a comma.

use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
struct Connection {
    #[pyo3_gc(clear = false recursive)] //~ mistake
    handle: u8,
}

fn main() {}

//~ fix: false recursive => false, recursive
