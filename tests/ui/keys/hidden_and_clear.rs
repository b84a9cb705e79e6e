//! What is hidden is never cleared.

use pyo3_gc::PyGcTraversable;

struct Sink;

#[derive(PyGcTraversable)]
struct Feed {
    #[pyo3_gc(hidden = "a closure", clear = true)] //~ mistake
    sink: Sink,
}

fn main() {}

//~ fix: , clear = true =>
