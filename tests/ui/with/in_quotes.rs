//! A quoted module.

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
    #[pyo3_gc(with = "foreign")] //~ mistake
    value: Foreign,
}

fn main() {}

//~ fix: "foreign" => foreign
