//! `gc` alone.

use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
struct Connection {
    #[pyo3(gc)] //~ mistake
    handle: u8,
}

fn main() {}

//~ fix: pyo3(gc) => pyo3(gc = true)
