//! A field that is left alone is asked nothing: one error for each key that asks.

use pyo3_gc::PyGcTraversable;

struct RawHandle;

#[derive(PyGcTraversable)]
struct Connection {
    #[pyo3_gc(skip)]
    #[pyo3_gc(with = Handle)] //~ mistake
    #[pyo3_gc(recursive)] //~ mistake
    handle: RawHandle,
}

fn main() {}

//~ fix: #[pyo3_gc(with = Handle)] =>
//~ fix: #[pyo3_gc(recursive)] =>
