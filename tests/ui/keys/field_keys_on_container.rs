//! Keys of fields on a struct.

use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
#[pyo3_gc(skip)] //~ mistake
#[pyo3_gc(recursive)] //~ mistake
struct Slot(u8);

fn main() {}

//~ fix: #[pyo3_gc(skip)] =>
//~ fix: #[pyo3_gc(recursive)] =>
//~ fix: Slot(u8) => Slot(#[pyo3_gc(recursive)] u8)
