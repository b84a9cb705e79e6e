//! A field whose type does not implement the trait.

use pyo3_gc::PyGcTraversable;

struct RawHandle(*mut u8, fn());

#[derive(PyGcTraversable)]
struct Connection {
    name: String,
    handle: RawHandle, //~ mistake
}

fn main() {}

//~ fix: handle: => #[pyo3(gc = false)] handle:
