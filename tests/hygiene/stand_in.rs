//! A foreign type, and what stands in for it: such an impl is unsafe, which the items that are expanded elsewhere aren't.

use pyo3::{PyTraverseError, PyVisit};
use pyo3_gc::{Graveyard, PyGcTraverseAs};

/// Doesn't implement the trait.
pub(crate) struct Foreign(pub(crate) u8);

pub(crate) struct StandIn;

// SAFETY: 1 to 5: it owns no reference, and nothing is visited. 6: a zero is a number.
unsafe impl PyGcTraverseAs<Foreign> for StandIn {
    const MAY_CONTAIN_CYCLES: bool = true;

    fn traverse(_: &Foreign, _: PyVisit<'_>) -> Result<(), PyTraverseError> {
        Ok(())
    }

    fn clear_into<'g>(value: &mut Foreign, _: &mut Graveyard<'g>)
    where
        Foreign: 'g,
    {
        value.0 = 0;
    }
}
