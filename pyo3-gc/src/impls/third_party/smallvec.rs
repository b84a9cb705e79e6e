//! `smallvec`.

use std::mem;

use pyo3::PyVisit;
use smallvec::{Array, IntoIter, SmallVec};

use crate::impls::{clear_through_graveyard, composed, of_parts};
use crate::traversable::TraverseResult;
use crate::{Graveyard, PyGcTraversable};

macro_rules! slice {
    ($vector:ident, |$this:ident| $take:expr) => {
        // Without a feature of its own it knows arrays of some lengths only.
        composed!(impl[T, const N: usize] $vector<[T; N]>: [T; N] where [T; N]: Array);

        // SAFETY: 1 to 5: it does what its slice does. 6: an empty vector is a vector, and an iterator at its end an
        // iterator.
        unsafe impl<A: Array> PyGcTraversable for $vector<A>
        where
            A::Item: PyGcTraversable,
        {
            const MAY_CONTAIN_CYCLES: bool = A::Item::MAY_CONTAIN_CYCLES;
            of_parts!(A::Item);

            #[inline]
            fn traverse(&self, visit: PyVisit<'_>) -> TraverseResult {
                self.as_slice().traverse(visit)
            }

            clear_through_graveyard!();

            fn clear_into<'g>(&mut self, graveyard: &mut Graveyard<'g>)
            where
                Self: 'g,
            {
                if Self::MAY_CONTAIN_CYCLES {
                    let $this = self;
                    $crate::PyGcTraversable::bury($take, graveyard);
                }
            }

            fn clear_interior_into<'g>(&self, graveyard: &mut Graveyard<'g>)
            where
                Self: 'g,
            {
                self.as_slice().clear_interior_into(graveyard);
            }
        }
    };
}

slice!(SmallVec, |this| mem::take(this));
slice!(IntoIter, |rest| rest.collect::<SmallVec<A>>());
