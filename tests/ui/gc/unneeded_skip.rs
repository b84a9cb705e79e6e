//! The other spelling of an exclusion that is not needed.

use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
struct Connection {
    #[pyo3_gc(skip)] //~ mistake
    handle: Option<String>,
}

fn main() {}

//~ fix: #[pyo3_gc(skip)] =>
