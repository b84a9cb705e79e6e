//! Keys of fields on a struct.

use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
#[pyo3_gc(skip)] //~ mistake
#[pyo3_gc(with = Other)] //~ mistake
#[pyo3_gc(hidden = "a reason")] //~ mistake
struct Slot(u8);

fn main() {}

//~ fix: #[pyo3_gc(skip)] =>
//~ fix: #[pyo3_gc(with = Other)] =>
//~ fix: #[pyo3_gc(hidden = "a reason")] =>
