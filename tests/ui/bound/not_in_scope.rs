//! A bound that names a trait which does not exist.

use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
#[pyo3_gc(bound = "T: Traversable")] //~ mistake
struct Slot<T>(#[pyo3(gc = false)] T);

fn main() {}

//~ fix: T: Traversable => T: Send
