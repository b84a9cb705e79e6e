//! Something that is no key at all.

use pyo3_gc::PyGcTraversable;

struct RawHandle;

#[derive(PyGcTraversable)]
struct Connection {
    #[pyo3_gc("skip")] //~ mistake
    handle: RawHandle,
}

fn main() {}

//~ fix: "skip" => skip
