//! Cells: contents behind a shared reference, on one thread or written once.

#[cfg(lazy_get)]
use std::cell::LazyCell;
use std::cell::{Cell, OnceCell, RefCell};
#[cfg(lazy_get)]
use std::sync::LazyLock;
use std::sync::OnceLock;

use super::{clear_through_graveyard, guarded, once};
use crate::private::{PyVisit, TraverseResult};
use crate::{Graveyard, PyGcTraversable};

guarded!(
    impl[] RefCell<T>,
    read |cell| cell.try_borrow().ok(),
    write |cell| cell.try_borrow_mut().ok(),
    get_mut |cell| cell.get_mut()
);

once!(impl[] OnceCell<T>, get |cell| cell.get(), take |cell| cell.take());
once!(impl[] OnceLock<T>, get |cell| cell.get(), take |cell| cell.take());

/// Has nothing to clear through a shared reference: a `&mut` into it could be aliased by whatever a drop runs.
// SAFETY: 1: the cell owns its contents and visits them once. 2: reads, see below. 3: passed on. 4 and 5: the
// contents' own promise and answer. 6: cleared in place through `&mut`, by the contents' own impl.
unsafe impl<T: PyGcTraversable> PyGcTraversable for Cell<T> {
    const MAY_CONTAIN_CYCLES: bool = T::MAY_CONTAIN_CYCLES;

    #[inline]
    fn traverse(&self, visit: PyVisit<'_>) -> TraverseResult {
        // SAFETY: the pointer is valid, since it comes from a reference. Nothing writes to the cell while this
        // reference lives: `Cell` is not `Sync`, so that no other thread sees it, and on this thread nothing
        // runs but `T::traverse`, which by 2 changes nothing, and the collector's visitor.
        let contents = unsafe { &*self.as_ptr() };
        contents.traverse(visit)
    }

    clear_through_graveyard!();

    fn clear_into<'g>(&mut self, graveyard: &mut Graveyard<'g>)
    where
        Self: 'g,
    {
        self.get_mut().clear_into(graveyard);
    }
}

/// Lazy cells, from Rust 1.94 on, where std lets one look without forcing. What the initialiser captures is
/// hidden, as it is in every closure.
#[cfg(lazy_get)]
macro_rules! lazy {
    ($lazy:ident) => {
        // SAFETY: 1: the cell owns its contents and visits them once. 2: `get` neither blocks nor initialises.
        // 3: passed on. 4: an initialised cell stays so. 5: the contents' own answer; an initialiser isn't shown.
        // 6: contents are cleared in place, by their own impl.
        #[allow(clippy::incompatible_msrv, reason = "compiled only where std has it")]
        unsafe impl<T: PyGcTraversable, F> PyGcTraversable for $lazy<T, F> {
            const MAY_CONTAIN_CYCLES: bool = T::MAY_CONTAIN_CYCLES;

            #[inline]
            fn traverse(&self, visit: PyVisit<'_>) -> TraverseResult {
                match Self::get(self) {
                    Some(value) => value.traverse(visit),
                    None => Ok(()),
                }
            }

            clear_through_graveyard!();

            fn clear_into<'g>(&mut self, graveyard: &mut Graveyard<'g>)
            where
                Self: 'g,
            {
                if let Some(value) = Self::get_mut(self) {
                    value.clear_into(graveyard);
                }
            }

            fn clear_interior_into<'g>(&self, graveyard: &mut Graveyard<'g>)
            where
                Self: 'g,
            {
                if let Some(value) = Self::get(self) {
                    value.clear_interior_into(graveyard);
                }
            }
        }
    };
}

#[cfg(lazy_get)]
lazy!(LazyCell);
#[cfg(lazy_get)]
lazy!(LazyLock);
