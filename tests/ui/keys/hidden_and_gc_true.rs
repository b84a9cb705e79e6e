//! A field is either shown or hidden.

use pyo3_gc::PyGcTraversable;

struct Sink;

#[derive(PyGcTraversable)]
struct Feed {
    #[pyo3(gc = true)] #[pyo3_gc(hidden = "a closure")] //~ mistake
    sink: Sink,
}

fn main() {}

//~ fix: #[pyo3(gc = true)] =>
