//! A quoted value.

use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
struct Connection {
    #[pyo3_gc(clear = "false")] //~ mistake
    handle: u8,
}

fn main() {}

//~ fix: "false" => false
