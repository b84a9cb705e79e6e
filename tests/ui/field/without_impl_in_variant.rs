//! A field of a variant whose type does not implement the trait.

use pyo3_gc::PyGcTraversable;

struct RawHandle;

#[derive(PyGcTraversable)]
enum State {
    Closed,
    Open(u8, RawHandle), //~ mistake
}

fn main() {}

//~ fix: u8, RawHandle => u8, #[pyo3(gc = false)] RawHandle
