//! A module is asked in the place of the type, which needs no mark then.

use pyo3_gc::PyGcTraversable;

struct Foreign;

mod foreign {
    use pyo3::{PyTraverseError, PyVisit};

    pub fn traverse(_: &super::Foreign, _: PyVisit<'_>) -> Result<(), PyTraverseError> {
        Ok(())
    }

    pub fn clear(_: &mut super::Foreign) {}
}

#[derive(PyGcTraversable)]
struct Wrapper {
    #[pyo3_gc(with = foreign, recursive)] //~ mistake
    value: Foreign,
}

fn main() {}

//~ fix: foreign, recursive => foreign
