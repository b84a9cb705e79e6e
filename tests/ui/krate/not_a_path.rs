//! Not a path.

use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
#[pyo3_gc(crate = "pyo3-gc")] //~ mistake
struct Slot(u8);

fn main() {}

//~ fix: pyo3-gc => pyo3_gc
