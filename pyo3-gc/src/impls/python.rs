//! PyO3's own types.

use std::any::Any;
use std::mem;

use pyo3::PyVisit;
use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};
use pyo3::sync::PyOnceLock;

use super::once;
use crate::graveyard::clear_now;
use crate::traversable::TraverseResult;
use crate::{Graveyard, PyGcTraversable, leaf};

/// A `Py<PyAny>` becomes Python's `None` when it is cleared while the thread is attached, as it is in a collection. A
/// typed `Py<T>` has no value to put in its place and stays: use `Option<Py<T>>` where a cycle may consist of nothing
/// but such fields.
// SAFETY: 1: a `Py` owns one reference and visits it once. 2: `PyVisit::call` only passes the pointer on. 3: passed
// on. 4: the pointer. 5: true. 6: `None` is a valid `Py<PyAny>`; what was there before goes to the graveyard.
unsafe impl<T: 'static> PyGcTraversable for Py<T> {
    const MAY_CONTAIN_CYCLES: bool = true;
    const NEEDS_NO_BOX: bool = true;

    #[inline]
    fn traverse(&self, visit: PyVisit<'_>) -> TraverseResult {
        visit.call(self)
    }

    fn clear(&mut self) {
        clear_now(self);
    }

    fn clear_into<'g>(&mut self, graveyard: &mut Graveyard<'g>)
    where
        Self: 'g,
    {
        let this: &mut dyn Any = self;
        if let Some(object) = this.downcast_mut::<Py<PyAny>>() {
            if let Some(none) = graveyard.none() {
                graveyard.bury_object(mem::replace(object, none));
            }
        }
    }

    #[inline]
    fn bury<'g>(self, graveyard: &mut Graveyard<'g>)
    where
        Self: Sized + 'g,
    {
        graveyard.bury_object(self);
    }
}

// Each owns a Python object. But only an instance of a `str` or `bytes` subclass with a `__dict__` could be part of a
// cycle, and to visit the alias and the lookup key of each field cost pydantic-core 28 % of a collection.
leaf!(
    /// A leaf: only a `str` of a subclass with a `__dict__` could be part of a cycle, and such a cycle leaks. Where that
    /// matters, hold a `Py<PyString>`.
    PyBackedStr,
    /// A leaf: only a `bytes` of a subclass with a `__dict__` could be part of a cycle, and such a cycle leaks. Where that
    /// matters, hold a `Py<PyBytes>`.
    PyBackedBytes,
);

once!(
    impl[] PyOnceLock<T>,
    get |lock| {
        // SAFETY: `get` doesn't use the token: it is `once_cell::sync::OnceCell::get`, which any thread may call. [PyO3 0.28 to
        // 0.30, src/sync/once_lock.rs] So nothing is done here that a thread that isn't attached, as one that clears by hand
        // may be, must not do; and the token goes no further.
        let py = unsafe { Python::assume_attached() };
        lock.get(py)
    },
    take |lock| lock.take()
);
