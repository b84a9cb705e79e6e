//! `tp_clear` of a wired class.

use std::{mem, ptr};

// Hidden, like the associated types of `PyClass`, but what PyO3's macros use: a change of it doesn't compile.
use pyo3::PyClass;
use pyo3::impl_::pycell::PyClassObjectBaseLayout;
use pyo3::prelude::*;
use pyo3::pyclass::boolean_struct::{False, True};

use crate::trashcan::{Objects, hold_contents, hold_value};
use crate::{Graveyard, PyGcTraversable, hidden};

/// Clears an object, but for its base class and its `__dict__`. Destructors run once nothing is borrowed or locked.
pub(crate) fn clear<T>(object: &Bound<'_, T>)
where
    T: PyClass<Frozen: ClearThrough<T>> + PyGcTraversable,
{
    hidden::clearing::<T>();
    let py = object.py();
    if !is_at_home(object) {
        return;
    }
    let mut graveyard = Graveyard::attached(py);
    let Some(place) = T::Frozen::clear_into(object, &mut graveyard) else { return };
    graveyard.release(py, |object, held| hold::<T>(object, place, held));
    // Spares the look into each field.
    if graveyard.is_unallocated() {
        mem::forget(graveyard);
    }
}

/// Whether the object may be borrowed on this thread: PyO3 panics if it is `unsendable`, or its base class is, and it was
/// made on another one.
#[inline]
fn is_at_home<T: PyClass>(object: &Bound<'_, T>) -> bool {
    // SAFETY: PyO3 lays out an object of the class so, and makes such references itself, whoever borrows the value, which is
    // in an `UnsafeCell`. [PyO3 0.28 to 0.30, src/pycell/impl_.rs]
    let layout = unsafe { &*object.as_ptr().cast::<T::Layout>() };
    layout.check_threadsafe().is_ok()
}

/// Holds what an object owns that is about to die. Of most classes, those of the object's own class go without the way
/// through `tp_traverse`, `place` being where their values are.
#[inline]
fn hold<T: PyClass + PyGcTraversable>(object: &Bound<'_, PyAny>, place: usize, held: &mut Objects) {
    let py = object.py();
    if is_all_of_its_objects::<T>() && ptr::eq(object.get_type_ptr(), T::type_object_raw(py)) {
        // SAFETY: it is of the very class `T`, and its value lies where that of any other does.
        let value = unsafe { object.as_ptr().byte_add(place) };
        // SAFETY: nobody borrows it mutably: a borrow keeps a reference, or lives no longer than one, and the only one has
        // been moved here.
        let value = unsafe { &*value.cast::<T>() };
        hold_value(py, value, T::traverse, held);
    } else {
        hold_contents(object, held);
    }
}

/// Whether the objects of the class own nothing but their value (and their type), which may be looked at on any thread.
const fn is_all_of_its_objects<T: PyClass>() -> bool {
    !T::IS_SUBCLASS && size_of::<T::Dict>() == 0 && size_of::<T::ThreadChecker>() == 0
}

/// How a class is cleared: a frozen one through a shared borrow, any other through an exclusive one. An object that is
/// borrowed elsewhere is skipped.
pub trait ClearThrough<T> {
    /// Moves what the object can be cleared of into `graveyard`; nothing is borrowed any more on return. Returns how far into
    /// the object its value is.
    fn clear_into(object: &Bound<'_, T>, graveyard: &mut Graveyard<'_>) -> Option<usize>;
}

impl<T: PyClass<Frozen = True> + PyGcTraversable> ClearThrough<T> for True {
    #[inline]
    fn clear_into(object: &Bound<'_, T>, graveyard: &mut Graveyard<'_>) -> Option<usize> {
        let value = object.try_borrow().ok()?;
        value.clear_interior_into(graveyard);
        Some(place_of(&*value, object))
    }
}

impl<T: PyClass<Frozen = False> + PyGcTraversable> ClearThrough<T> for False {
    #[inline]
    fn clear_into(object: &Bound<'_, T>, graveyard: &mut Graveyard<'_>) -> Option<usize> {
        let mut value = object.try_borrow_mut().ok()?;
        value.clear_into(graveyard);
        Some(place_of(&*value, object))
    }
}

#[inline]
fn place_of<T>(value: &T, object: &Bound<'_, T>) -> usize {
    ptr::from_ref(value).addr() - object.as_ptr().addr()
}
