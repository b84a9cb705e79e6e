//! Every mistake of an item is reported in one compile.

use pyo3_gc::PyGcTraversable;

struct RawHandle;

#[derive(PyGcTraversable)]
#[pyo3(gc = false)] //~ mistake
#[pyo3_gc(bond = "T: PyGcTraversable")] //~ mistake
struct Connection<T> {
    #[pyo3(gc = "false")] //~ mistake
    handle: RawHandle,
    #[pyo3_gc(skip = 1)] //~ mistake
    other: RawHandle,
    #[pyo3_gc] //~ mistake
    value: T,
}

fn main() {}

//~ fix: #[pyo3(gc = false)] =>
//~ fix: bond => bound
//~ fix: "false" => false
//~ fix: skip = 1 => skip
//~ fix: #[pyo3_gc] =>
