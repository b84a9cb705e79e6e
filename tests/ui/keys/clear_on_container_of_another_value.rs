//! What a container does when it is cleared is one of two.

use pyo3_gc::PyGcTraversable;

#[derive(Default, PyGcTraversable)]
#[pyo3_gc(clear = true)] //~ mistake
struct Registry {
    index: Vec<u8>,
}

fn main() {}

//~ fix: clear = true => clear = default
