//! What an instance owns of what it visits. Visits alone can't tell: only letting go of the instance does.

use pyo3::prelude::*;

use super::observe::{Traversal, count};

/// What an instance visits, itself and its class aside, kept alive while the instance is let go of: whatever it visits
/// without owning it is then still there, and nothing was collected yet.
pub(super) struct Visited<'py>(Vec<Target<'py>>);

struct Target<'py> {
    object: Bound<'py, PyAny>,
    visits: usize,
    references: usize,
}

/// An object that is visited more often than the instance let go of it.
pub(super) struct NotOwned<'py> {
    pub(super) object: Bound<'py, PyAny>,
    pub(super) visits: usize,
    pub(super) owned: usize,
}

impl<'py> Visited<'py> {
    pub(super) fn by(instance: &Bound<'py, PyAny>, traversal: &Traversal) -> Self {
        let class = instance.get_type();
        let targets = traversal
            .visited(instance.py())
            .filter(|(object, _)| !object.is(instance) && !object.is(&class))
            .collect::<Vec<_>>();
        // Counted once all are held, so that the fall is the instance's alone.
        let target = |(object, visits): (Bound<'py, PyAny>, usize)| {
            let references = count(&object)? as usize;
            Some(Target { object, visits, references })
        };
        Self(targets.into_iter().filter_map(target).collect())
    }

    /// Once the instance is gone: what lost fewer references than there were visits.
    pub(super) fn not_owned(self) -> Vec<NotOwned<'py>> {
        let compare = |Target { object, visits, references }| {
            let owned = references.saturating_sub(count(&object)? as usize);
            (visits > owned).then_some(NotOwned { object, visits, owned })
        };
        self.0.into_iter().filter_map(compare).collect()
    }
}
