//! An exclusion of a field that could take part.

use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
struct Connection {
    #[pyo3(gc = false)] //~ mistake
    handle: Vec<u8>,
}

fn main() {}

//~ fix: #[pyo3(gc = false)] =>
