//! A collection of a type that does not implement the trait.

use pyo3_gc::PyGcTraversable;

struct RawHandle;

#[derive(PyGcTraversable)]
struct Pool {
    handles: Vec<Option<RawHandle>>, //~ mistake
}

fn main() {}

//~ fix: struct RawHandle => #[derive(PyGcTraversable)] struct RawHandle
