//! A bound without quotes.

use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
#[pyo3_gc(bound = T)] //~ mistake
struct Slot<T>(T);

fn main() {}

//~ fix: bound = T => bound = "T: PyGcTraversable + Send, u8: PyGcTraversable"
