//! Pointers with several owners.
//!
//! The collector subtracts one visit for each reference. If two owners of an `Arc` both visited its contents, one
//! reference would be subtracted twice, and a live object could be taken for garbage. So the contents are visited by
//! an owner that has them to itself, and by none that shares them: they then look held from outside, which at worst
//! keeps a cycle alive for as long as it is shared. [`PyGcArc`](crate::PyGcArc) shows the collector the true graph.

use std::rc::Rc;
use std::sync::Arc;

use pyo3::PyVisit;

use super::{clear_through_graveyard, composed, of_parts};
use crate::traversable::TraverseResult;
use crate::{Graveyard, PyGcTraversable};

macro_rules! shared {
    ($(#[$attr:meta])* $pointer:ident) => {
        composed!(impl[T: ?Sized] $pointer<T>: T);

        $(#[$attr])*
        // SAFETY: 1: the only strong pointer owns the contents alone, and visits them once; one of several visits
        // nothing. 2: reading the count touches no object. 3: passed on. 4: the count changes only by Rust code.
        // 5: the contents' own answer. 6: `get_mut` hands out what nobody else sees; what a weak pointer could
        // still reach is cleared through locks and cells.
        unsafe impl<T: PyGcTraversable + ?Sized> PyGcTraversable for $pointer<T> {
            const MAY_CONTAIN_CYCLES: bool = T::MAY_CONTAIN_CYCLES;
            of_parts!(T);

            #[inline]
            fn traverse(&self, visit: PyVisit<'_>) -> TraverseResult {
                if T::MAY_CONTAIN_CYCLES && Self::strong_count(self) == 1 {
                    return (**self).traverse(visit);
                }
                Ok(())
            }

            clear_through_graveyard!();

            fn clear_into<'g>(&mut self, graveyard: &mut Graveyard<'g>)
            where
                Self: 'g,
            {
                match Self::get_mut(self) {
                    Some(contents) => contents.clear_into(graveyard),
                    None => (*self).clear_interior_into(graveyard),
                }
            }

            fn clear_interior_into<'g>(&self, graveyard: &mut Graveyard<'g>)
            where
                Self: 'g,
            {
                if T::MAY_CONTAIN_CYCLES && Self::strong_count(self) == 1 {
                    (**self).clear_interior_into(graveyard);
                }
            }
        }
    };
}

shared!(
    /// Visited and cleared while it is the only strong pointer to its contents; opaque while they are shared.
    Rc
);
shared!(
    /// Visited and cleared while it is the only strong pointer to its contents; opaque while they are shared.
    ///
    /// A thread that isn't attached to the interpreter can clone or drop an `Arc` between two passes of one collection,
    /// which then disagree, and take live objects for garbage: see the chapter on ownership. Clone and drop it while
    /// attached, or use [`PyGcArc`](crate::PyGcArc).
    Arc
);
