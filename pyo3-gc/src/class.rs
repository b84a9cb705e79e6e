//! What the expansions of `#[pyclass]` and `#[pymethods]` call.

use std::marker::PhantomData;

use pyo3::PyVisit;
use pyo3::prelude::*;
use pyo3::pyclass::boolean_struct::{False, True};
use pyo3::{PyClass, ffi};

use crate::traversable::TraverseResult;
use crate::{Graveyard, PyGcTraversable, hidden};

/// Implemented by `#[pymethods]` for the class whose hooks its block has. Where two blocks of a class have them, rustc
/// reports this trait first, by its name.
#[allow(non_camel_case_types)]
pub trait BothInstallHooks_WritePymethodsGcFalseOnOne {}

/// Implemented by `#[pyclass(gc = false)]`.
pub trait LeftAlone {}

/// The hooks of the class `T`. Its inherent items exist only for the classes that they are meant for, and go before
/// those of [`NoHooks`], which stand in for all others.
pub struct Hooks<T>(PhantomData<T>);

impl<T: BothInstallHooks_WritePymethodsGcFalseOnOne> Hooks<T> {
    /// The hooks are installed.
    pub const INSTALLED: bool = true;
}

impl<T: LeftAlone> Hooks<T> {
    /// The class is to be left alone.
    pub const LEFT_ALONE: bool = true;
}

impl<T: PyGcTraversable> Hooks<T> {
    /// `tp_traverse`, but for the base class, the type object and `__dict__`, which are PyO3's to visit.
    ///
    /// # Errors
    ///
    /// The visitor's, unchanged.
    #[inline]
    pub fn traverse(value: &T, visit: PyVisit<'_>) -> TraverseResult {
        value.traverse(visit)
    }
}

impl<T> Hooks<T>
where
    T: PyClass<Frozen: ClearThrough<T>> + PyGcTraversable,
{
    /// `tp_clear`, but for the base class and `__dict__`. Destructors run once nothing is borrowed or locked.
    ///
    /// Instances that are chained to one another go one by one: PyO3's `tp_dealloc` has no trashcan, so that a long
    /// chain, dropped by its first link, would overflow the stack.
    #[inline]
    pub fn clear(object: &Bound<'_, T>) {
        hidden::clearing::<T>();
        let mut graveyard = Graveyard::new();
        T::Frozen::clear_into(object, &mut graveyard);
        while let Some(buried) = graveyard.next_object(object.py()) {
            if dies_with(&buried, object.as_any()) {
                // SAFETY: it is of the very type that `object` is of, which is `T` or derives from it.
                let link = unsafe { buried.cast_unchecked::<T>() };
                T::Frozen::clear_into(link, &mut graveyard);
            }
        }
    }
}

/// Whether `link` is of the type of `object`, and is gone once this reference is dropped, before any other code runs: then
/// nobody sees that it was emptied first.
///
/// Never where another thread could be faster, without a GIL: there the collector holds on to whatever it clears, so that
/// chains are dropped link by link.
fn dies_with(link: &Bound<'_, PyAny>, object: &Bound<'_, PyAny>) -> bool {
    // Only builds with a GIL have objects that begin with a reference count and a type, and nothing else.
    const HAS_GIL: bool = size_of::<ffi::PyObject>() == 2 * size_of::<usize>();

    HAS_GIL && {
        // SAFETY: `object` is alive.
        let class = unsafe { ffi::Py_TYPE(object.as_ptr()) };
        // SAFETY: `link` is alive.
        (unsafe { ffi::Py_TYPE(link.as_ptr()) }) == class
            // SAFETY: `link` is alive, and the thread attached.
            && (unsafe { ffi::Py_REFCNT(link.as_ptr()) }) == 1
            // A `__del__` of a subclass runs first, on the object as it is.
            // SAFETY: a class of PyO3's, and any that derives from it, is a heap type.
            && (unsafe { ffi::PyType_GetSlot(class, ffi::Py_tp_finalize) }).is_null()
    }
}

/// What [`Hooks`] answers where it has no item of its own.
pub trait NoHooks<T> {
    /// No hooks are installed.
    const INSTALLED: bool = false;
    /// The class is ours to deal with.
    const LEFT_ALONE: bool = false;

    /// Visits nothing.
    ///
    /// # Errors
    ///
    /// None.
    #[inline]
    fn traverse(_: &T, _: PyVisit<'_>) -> TraverseResult {
        Ok(())
    }

    /// Clears nothing.
    #[inline]
    fn clear(_: &Bound<'_, T>) {}
}

impl<T> NoHooks<T> for Hooks<T> {}

/// How a class is cleared: a frozen one through a shared borrow, any other through an exclusive one. An object that is
/// borrowed elsewhere is skipped.
pub trait ClearThrough<T> {
    /// Moves what the object can be cleared of into `graveyard`; nothing is borrowed any more on return.
    fn clear_into(object: &Bound<'_, T>, graveyard: &mut Graveyard<'_>);
}

impl<T: PyClass<Frozen = True> + PyGcTraversable> ClearThrough<T> for True {
    fn clear_into(object: &Bound<'_, T>, graveyard: &mut Graveyard<'_>) {
        if let Ok(value) = object.try_borrow() {
            value.clear_interior_into(graveyard);
        }
    }
}

impl<T: PyClass<Frozen = False> + PyGcTraversable> ClearThrough<T> for False {
    fn clear_into(object: &Bound<'_, T>, graveyard: &mut Graveyard<'_>) {
        if let Ok(mut value) = object.try_borrow_mut() {
            value.clear_into(graveyard);
        }
    }
}
