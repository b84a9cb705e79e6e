//! `bound = ""` asks for less than the fields need.

use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
#[pyo3_gc(bound = "")]
struct Slot<T> {
    value: Option<T>, //~ mistake
}

fn main() {}

//~ fix: (bound = "") => (bound = "T: PyGcTraversable")
