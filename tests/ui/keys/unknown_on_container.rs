//! A key that does not exist, on a struct.

use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
#[pyo3_gc(bounds = "T: PyGcTraversable")] //~ mistake
struct Slot<T>(T);

fn main() {}

//~ fix: bounds => bound
