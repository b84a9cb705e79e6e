//! A path at which the crate is not.

use pyo3_gc::PyGcTraversable;

mod vendored {}

#[derive(PyGcTraversable)]
#[pyo3_gc(crate = "vendored")] //~ mistake
struct Slot(u8);

fn main() {}

//~ fix: mod vendored {} => mod vendored { pub use pyo3_gc::*; }
