//! A field that owns no Python object has nothing to hide.

use pyo3_gc::PyGcTraversable;

struct Sink;

#[derive(PyGcTraversable)]
struct Feed {
    #[pyo3_gc(skip, hidden = "a closure")] //~ mistake
    sink: Sink,
}

fn main() {}

//~ fix: skip, =>
