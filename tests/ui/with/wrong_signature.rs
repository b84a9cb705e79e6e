//! A function of another signature.

use pyo3_gc::PyGcTraversable;

struct Foreign;

mod foreign {
    use pyo3::PyVisit;

    pub fn traverse(_: &super::Foreign, _: PyVisit<'_>) {}

    pub fn clear(_: &mut super::Foreign) {}
}

#[derive(PyGcTraversable)]
struct Wrapper {
    #[pyo3_gc(with = foreign)] //~ mistake
    value: Foreign,
}

fn main() {}

//~ fix: PyVisit<'_>) {} => PyVisit<'_>) -> Result<(), pyo3::PyTraverseError> { Ok(()) }
