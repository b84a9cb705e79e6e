//! `clear` is ours alone.

use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
struct Node {
    #[pyo3(clear = false)] //~ mistake
    next: Option<Box<Node>>,
}

fn main() {}

//~ fix: #[pyo3(clear => #[pyo3_gc(clear
