//! Mistakes in variants and in their fields.

use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
#[repr(u8)]
enum State {
    #[pyo3_gc(skip)] //~ mistake
    Closed,
    Opening {
        #[pyo3(gc)] //~ mistake
        handle: u64,
    },
    Open(
        u8,
        #[pyo3_gc(recursive, recursive)] //~ mistake
        u64,
    ),
}

fn main() {}

//~ fix: #[pyo3_gc(skip)] =>
//~ fix: #[pyo3(gc)] => #[pyo3(gc = true)]
//~ fix: recursive, recursive => recursive
