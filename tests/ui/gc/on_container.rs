//! `gc` on a struct.

use pyo3_gc::PyGcTraversable;

struct RawHandle;

#[derive(PyGcTraversable)]
#[pyo3(gc = false)] //~ mistake
struct Connection {
    name: String,
}

fn main() {}

//~ fix: #[pyo3(gc = false)] =>
//~ fix: name: => #[pyo3(gc = true)] name:
