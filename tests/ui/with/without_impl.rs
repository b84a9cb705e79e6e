//! A type that stands in for nothing.

use pyo3_gc::PyGcTraversable;

struct Foreign;

struct StandIn;

#[derive(PyGcTraversable)]
struct Wrapper {
    #[pyo3_gc(with = StandIn)] //~ mistake
    value: Foreign,
}

fn main() {}

//~ fix: struct StandIn; => struct StandIn; unsafe impl pyo3_gc::PyGcTraverseAs<Foreign> for StandIn { const MAY_CONTAIN_CYCLES: bool = false; fn traverse(_: &Foreign, _: pyo3::PyVisit<'_>) -> Result<(), pyo3::PyTraverseError> { Ok(()) } fn clear_into<'g>(_: &mut Foreign, _: &mut pyo3_gc::Graveyard<'g>) where Foreign: 'g {} }
