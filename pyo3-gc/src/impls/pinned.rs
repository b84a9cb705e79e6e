//! Pinned pointers: visited as the pointer is. What is pinned can't be moved out: it is cleared as through a shared
//! reference.

use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;

use pyo3::PyVisit;

use super::{clear_through_graveyard, composed, of_parts};
use crate::traversable::TraverseResult;
use crate::{Graveyard, PyGcTraversable, leaf};

/// The pointer that pins. `Pin` itself lends only what it points to, and whether a shared pointer is the only one must be
/// asked of the pointer.
fn pointer<P>(pin: &Pin<P>) -> &P {
    // SAFETY: `Pin<P>` is guaranteed to have the memory layout of `P` (the standard library's documentation of `Pin`). The
    // callers below, which know `P`, move nothing out through the shared reference.
    unsafe { &*std::ptr::from_ref(pin).cast::<P>() }
}

macro_rules! pinned {
    ($(#[$attr:meta])* $pointer:ident) => {
        composed!(impl[T: ?Sized] Pin<$pointer<T>>: $pointer<T>);

        $(#[$attr])*
        // SAFETY: 1 to 5: it does what its pointer does. 6: what is pinned stays where it is.
        unsafe impl<T: PyGcTraversable + ?Sized> PyGcTraversable for Pin<$pointer<T>> {
            const MAY_CONTAIN_CYCLES: bool = T::MAY_CONTAIN_CYCLES;
            of_parts!(T);

            #[inline]
            fn traverse(&self, visit: PyVisit<'_>) -> TraverseResult {
                pointer(self).traverse(visit)
            }

            clear_through_graveyard!();

            fn clear_into<'g>(&mut self, graveyard: &mut Graveyard<'g>)
            where
                Self: 'g,
            {
                pointer(self).clear_interior_into(graveyard);
            }

            fn clear_interior_into<'g>(&self, graveyard: &mut Graveyard<'g>)
            where
                Self: 'g,
            {
                pointer(self).clear_interior_into(graveyard);
            }
        }
    };
}

pinned!(
    /// Pinned contents can't be moved out: `clear` acts on what is behind locks and cells.
    Box
);
pinned!(
    /// As [`Rc`], while it is the only strong pointer; `clear` acts on what is behind locks and cells.
    Rc
);
pinned!(
    /// As [`Arc`], while it is the only strong pointer; `clear` acts on what is behind locks and cells.
    Arc
);

// Borrowed, not owned.
leaf!(impl[T: ?Sized] Pin<&T>);
