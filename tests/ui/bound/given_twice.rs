//! Two bounds.

use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
#[pyo3_gc(bound = "T: PyGcTraversable")]
#[pyo3_gc(bound = "U: PyGcTraversable")] //~ mistake
struct Pair<T, U>(T, U);

fn main() {}

//~ fix: #[pyo3_gc(bound = "T: PyGcTraversable")] =>
//~ fix: "U: PyGcTraversable" => "T: PyGcTraversable, U: PyGcTraversable"
