//! What `ui/bound/given_twice.rs` should have said.

use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
#[pyo3_gc(bound = "T: PyGcTraversable, U: PyGcTraversable")]
struct Pair<T, U>(T, U);
