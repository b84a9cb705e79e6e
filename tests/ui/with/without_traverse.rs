//! A module without `traverse`.

use pyo3_gc::PyGcTraversable;

struct Foreign;

mod foreign {
    pub fn clear(_: &mut super::Foreign) {}
}

#[derive(PyGcTraversable)]
struct Wrapper {
    #[pyo3_gc(with = foreign)] //~ mistake
    value: Foreign,
}

fn main() {}

//~ fix: pub fn clear => pub fn traverse(_: &super::Foreign, _: pyo3::PyVisit<'_>) -> Result<(), pyo3::PyTraverseError> { Ok(()) } pub fn clear
