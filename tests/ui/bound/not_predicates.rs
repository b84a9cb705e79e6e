//! A bound that can not be read.

use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
#[pyo3_gc(bound = "T PyGcTraversable")] //~ mistake
struct Slot<T>(T);

fn main() {}

//~ fix: T PyGcTraversable => T: PyGcTraversable,
