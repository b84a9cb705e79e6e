//! How the mutable classes are read and changed.

use pyo3::PyClass;
use pyo3::prelude::*;
use pyo3::pyclass::boolean_struct::False;
use pyo3::sync::critical_section::with_critical_section;

/// Reads an object, which is locked meanwhile where there is no GIL. See [`write`].
pub(crate) fn read<T: PyClass, R>(object: &Bound<'_, T>, f: impl FnOnce(&T) -> R) -> PyResult<R> {
    with_critical_section(object.as_any(), || Ok(f(&*object.try_borrow()?)))
}

/// Changes an object, which is locked meanwhile where there is no GIL.
///
/// `f` must run no Python code, which could come back to the same object: it calls nothing and drops nothing of
/// Python's, but hands out what it has replaced. Then neither the borrow nor the lock is ever found taken.
pub(crate) fn write<T: PyClass<Frozen = False>, R>(
    object: &Bound<'_, T>,
    f: impl FnOnce(&mut T) -> R,
) -> PyResult<R> {
    with_critical_section(object.as_any(), || Ok(f(&mut *object.try_borrow_mut()?)))
}
