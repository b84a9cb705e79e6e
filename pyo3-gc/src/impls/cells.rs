//! Cells: contents behind a shared reference, on one thread or written once.

#[cfg(lazy_get)]
use std::cell::LazyCell;
use std::cell::{Cell, OnceCell, RefCell};
#[cfg(lazy_get)]
use std::sync::LazyLock;
use std::sync::OnceLock;

use pyo3::PyVisit;

#[cfg(lazy_get)]
use super::lazy;
use super::{composed, guarded, of_parts, once};
use crate::graveyard::clear_now;
use crate::traversable::TraverseResult;
use crate::{Graveyard, PyGcTraversable};

guarded!(
    impl[] RefCell<T>,
    read |cell| cell.try_borrow().ok(),
    write |cell| cell.try_borrow_mut().ok(),
    get_mut |cell| cell.get_mut()
);

once!(impl[] OnceCell<T>, get |cell| cell.get(), take |cell| cell.take());
once!(impl[] OnceLock<T>, get |cell| cell.get(), take |cell| cell.take());

composed!(impl[T] Cell<T>: T);

/// Has nothing to clear through a shared reference: a `&mut` into it could be aliased by whatever a drop runs.
// SAFETY: 1: the cell owns its contents and visits them once. 2: reads, see below. 3: passed on. 4 and 5: the
// contents' own promise and answer. 6: cleared in place through `&mut`, by the contents' own impl.
unsafe impl<T: PyGcTraversable> PyGcTraversable for Cell<T> {
    const MAY_CONTAIN_CYCLES: bool = T::MAY_CONTAIN_CYCLES;
    of_parts!(T);

    #[inline]
    fn traverse(&self, visit: PyVisit<'_>) -> TraverseResult {
        // SAFETY: the pointer is that of the contents of `self`, which is borrowed for as long as `contents` lives. Until then
        // nobody writes to the cell or takes a `&mut` of it. Not another thread: `Cell` isn't `Sync`, so that all that have a
        // reference to it are on this one. And on this thread runs nothing but `T::traverse`, which by 2 changes nothing that
        // it can reach, and the visitor. There is no `PyVisit` but the one that PyO3 makes for a call of `tp_traverse`, and the
        // visitor of such a call runs no code that could reach the cell, since CPython lets traversing have no side effects
        // (python/cpython#123241); and `trashcan`'s, which takes a reference.
        let contents = unsafe { &*self.as_ptr() };
        contents.traverse(visit)
    }

    fn clear(&mut self) {
        clear_now(self);
    }

    fn clear_into<'g>(&mut self, graveyard: &mut Graveyard<'g>)
    where
        Self: 'g,
    {
        self.get_mut().clear_into(graveyard);
    }
}

// From Rust 1.94 on, std lets one look without forcing.
#[cfg(lazy_get)]
lazy!(impl[F] LazyCell<T, F>);
#[cfg(lazy_get)]
lazy!(impl[F] LazyLock<T, F>);
