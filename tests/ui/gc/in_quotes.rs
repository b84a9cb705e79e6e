//! A quoted value.

use pyo3_gc::PyGcTraversable;

struct RawHandle;

#[derive(PyGcTraversable)]
struct Connection {
    #[pyo3(gc = "false")] //~ mistake
    handle: RawHandle,
}

fn main() {}

//~ fix: "false" => false
