//! A value that is cleared as a whole has no field that is cleared otherwise.

use pyo3_gc::PyGcTraversable;

#[derive(Default, PyGcTraversable)]
#[pyo3_gc(clear = default)]
struct Registry {
    #[pyo3_gc(clear = true)] //~ mistake
    index: Vec<u8>,
}

fn main() {}

//~ fix: #[pyo3_gc(clear = true)] =>
