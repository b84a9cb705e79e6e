//! An empty reason is none.

use pyo3_gc::PyGcTraversable;

struct Sink;

#[derive(PyGcTraversable)]
struct Feed {
    #[pyo3_gc(hidden = "  ")] //~ mistake
    sink: Sink,
}

fn main() {}

//~ fix: "  " => "a closure"
