//! A stand-in for another type.

use pyo3::{PyTraverseError, PyVisit};
use pyo3_gc::{Graveyard, PyGcTraversable, PyGcTraverseAs};

struct Foreign;

struct StandIn;

unsafe impl PyGcTraverseAs<String> for StandIn {
    const MAY_CONTAIN_CYCLES: bool = false;

    fn traverse(_: &String, _: PyVisit<'_>) -> Result<(), PyTraverseError> {
        Ok(())
    }

    fn clear_into<'g>(_: &mut String, _: &mut Graveyard<'g>) where String: 'g {}
}

#[derive(PyGcTraversable)]
struct Wrapper {
    #[pyo3_gc(with = StandIn)] //~ mistake
    value: Foreign,
}

fn main() {}

//~ fix: PyGcTraverseAs<String> => PyGcTraverseAs<Foreign>
//~ fix: _: &String => _: &Foreign
//~ fix: _: &mut String, _: &mut Graveyard<'g>) where String => _: &mut Foreign, _: &mut Graveyard<'g>) where Foreign
