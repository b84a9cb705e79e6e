//! A hidden field needs a reason.

use pyo3_gc::PyGcTraversable;

struct Sink;

#[derive(PyGcTraversable)]
struct Feed {
    #[pyo3_gc(hidden)] //~ mistake
    sink: Sink,
}

fn main() {}

//~ fix: (hidden) => (hidden = "a closure")
