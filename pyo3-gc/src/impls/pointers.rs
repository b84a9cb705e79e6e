//! Owning pointers with a single owner.

use std::borrow::Cow;

use pyo3::PyVisit;

use super::{clear_through_graveyard, composed, of_parts};
use crate::traversable::TraverseResult;
use crate::{Graveyard, PyGcTraversable};

composed!(impl[T: ?Sized] Box<T>: T);

// SAFETY: 1 to 6: a box does what its contents do.
unsafe impl<T: PyGcTraversable + ?Sized> PyGcTraversable for Box<T> {
    const MAY_CONTAIN_CYCLES: bool = T::MAY_CONTAIN_CYCLES;
    of_parts!(T);

    #[inline]
    fn traverse(&self, visit: PyVisit<'_>) -> TraverseResult {
        (**self).traverse(visit)
    }

    clear_through_graveyard!();

    fn clear_into<'g>(&mut self, graveyard: &mut Graveyard<'g>)
    where
        Self: 'g,
    {
        (**self).clear_into(graveyard);
    }

    fn clear_interior_into<'g>(&self, graveyard: &mut Graveyard<'g>)
    where
        Self: 'g,
    {
        (**self).clear_interior_into(graveyard);
    }
}

// Where what is owned is something else, only that can be asked.
composed!(impl[B: ToOwned<Owned = B>] Cow<'_, B>: B);
composed!(impl[T: Clone] Cow<'_, [T]>: [T]);

/// Visited if owned. What is borrowed is its owner's to visit.
// SAFETY: 1: a borrowed value is not owned and not visited, an owned one is visited once. 2: reads. 3: passed on.
// 4: only Rust code turns borrowed into owned. 5: the owned type's answer. 6: cleared in place, by its own impl.
unsafe impl<B> PyGcTraversable for Cow<'_, B>
where
    B: ToOwned<Owned: PyGcTraversable> + ?Sized,
{
    const MAY_CONTAIN_CYCLES: bool = B::Owned::MAY_CONTAIN_CYCLES;
    of_parts!(B::Owned);

    #[inline]
    fn traverse(&self, visit: PyVisit<'_>) -> TraverseResult {
        match self {
            Cow::Borrowed(_) => Ok(()),
            Cow::Owned(value) => value.traverse(visit),
        }
    }

    clear_through_graveyard!();

    fn clear_into<'g>(&mut self, graveyard: &mut Graveyard<'g>)
    where
        Self: 'g,
    {
        if let Cow::Owned(value) = self {
            value.clear_into(graveyard);
        }
    }

    fn clear_interior_into<'g>(&self, graveyard: &mut Graveyard<'g>)
    where
        Self: 'g,
    {
        if let Cow::Owned(value) = self {
            value.clear_interior_into(graveyard);
        }
    }
}
