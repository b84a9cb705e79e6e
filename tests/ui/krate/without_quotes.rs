//! A path without quotes.

use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
#[pyo3_gc(crate = pyo3_gc)] //~ mistake
struct Slot(u8);

fn main() {}

//~ fix: crate = pyo3_gc => crate = "::pyo3_gc"
