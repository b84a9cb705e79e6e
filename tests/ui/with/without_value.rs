//! `with` alone.

use pyo3::{PyTraverseError, PyVisit};
use pyo3_gc::{Graveyard, PyGcTraversable, PyGcTraverseAs};

struct Foreign;

struct StandIn;

unsafe impl PyGcTraverseAs<Foreign> for StandIn {
    const MAY_CONTAIN_CYCLES: bool = false;

    fn traverse(_: &Foreign, _: PyVisit<'_>) -> Result<(), PyTraverseError> {
        Ok(())
    }

    fn clear_into<'g>(_: &mut Foreign, _: &mut Graveyard<'g>) where Foreign: 'g {}
}

#[derive(PyGcTraversable)]
struct Wrapper {
    #[pyo3_gc(with)] //~ mistake
    value: Foreign,
}

fn main() {}

//~ fix: (with) => (with = StandIn)
