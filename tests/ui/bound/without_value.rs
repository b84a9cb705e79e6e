//! `bound` alone.

use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
#[pyo3_gc(bound)] //~ mistake
struct Slot<T>(T);

fn main() {}

//~ fix: #[pyo3_gc(bound)] =>
