//! The collections of std: elements, keys and values, whatever the hasher.

use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};
use std::mem;

use pyo3::PyVisit;

use super::{clear_through_graveyard, map, of_parts, sequence};
use crate::traversable::{TraverseResult, again};
use crate::{Graveyard, PyGcTraversable};

sequence!(impl[] Vec<T>, |this| mem::take(this));
sequence!(impl[] VecDeque<T>, |this| mem::take(this));
sequence!(impl[] LinkedList<T>, |this| mem::take(this));
sequence!(impl[] BTreeSet<T>, |this| mem::take(this));
// Emptied by draining: a default heap wants an order, a default hash table a hasher.
sequence!(impl[] BinaryHeap<T>, |this| this.drain().collect::<Vec<_>>());
sequence!(impl[S] HashSet<T, S>, |this| this.drain().collect::<Vec<_>>());

map!(impl[] BTreeMap<K, V>, |this| mem::take(this));
map!(impl[S] HashMap<K, V, S>, |this| this.drain().collect::<Vec<_>>());

// SAFETY: 1 and 4: each element once. 2: iterating over a shared reference reads. 3: `?`. 5: the elements' own
// answer. 6: elements are cleared in place, by their own impls.
unsafe impl<T: PyGcTraversable> PyGcTraversable for [T] {
    const MAY_CONTAIN_CYCLES: bool = T::MAY_CONTAIN_CYCLES;
    of_parts!(T);

    #[inline]
    fn traverse(&self, visit: PyVisit<'_>) -> TraverseResult {
        if T::MAY_CONTAIN_CYCLES {
            for item in self {
                item.traverse(again(&visit))?;
            }
        }
        Ok(())
    }

    clear_through_graveyard!();

    fn clear_into<'g>(&mut self, graveyard: &mut Graveyard<'g>)
    where
        Self: 'g,
    {
        if T::MAY_CONTAIN_CYCLES {
            for item in self {
                item.clear_into(graveyard);
            }
        }
    }

    fn clear_interior_into<'g>(&self, graveyard: &mut Graveyard<'g>)
    where
        Self: 'g,
    {
        if T::MAY_CONTAIN_CYCLES {
            for item in self {
                item.clear_interior_into(graveyard);
            }
        }
    }
}

// SAFETY: 1 to 6: an array does what its slice does.
unsafe impl<T: PyGcTraversable, const N: usize> PyGcTraversable for [T; N] {
    const MAY_CONTAIN_CYCLES: bool = N > 0 && T::MAY_CONTAIN_CYCLES;
    of_parts!(T);

    #[inline]
    fn traverse(&self, visit: PyVisit<'_>) -> TraverseResult {
        self.as_slice().traverse(visit)
    }

    clear_through_graveyard!();

    fn clear_into<'g>(&mut self, graveyard: &mut Graveyard<'g>)
    where
        Self: 'g,
    {
        self.as_mut_slice().clear_into(graveyard);
    }

    fn clear_interior_into<'g>(&self, graveyard: &mut Graveyard<'g>)
    where
        Self: 'g,
    {
        self.as_slice().clear_interior_into(graveyard);
    }
}
