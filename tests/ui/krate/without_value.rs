//! `crate` alone.

use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
#[pyo3_gc(crate)] //~ mistake
struct Slot(u8);

fn main() {}

//~ fix: (crate) => (crate = "::pyo3_gc")
