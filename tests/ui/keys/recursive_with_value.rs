//! `recursive` takes no value.

use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
struct Connection {
    #[pyo3_gc(recursive = true)] //~ mistake
    handle: u8,
}

fn main() {}

//~ fix: recursive = true => recursive
