//! All fields are recursive already.

use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
#[pyo3_gc(recursive)]
struct Node {
    #[pyo3_gc(recursive,) ] //~ mistake
    next: Option<Box<Node>>,
}

fn main() {}

//~ fix: #[pyo3_gc(recursive,) ] =>
