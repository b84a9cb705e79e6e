//! What the expansions of `#[pyclass]` and `#[pymethods]` call.

use std::marker::PhantomData;

use pyo3::PyClass;
use pyo3::prelude::*;
use pyo3::pyclass::boolean_struct::{False, True};

use crate::private::{PyVisit, TraverseResult};
use crate::{Graveyard, PyGcTraversable};

/// Implemented by `#[pymethods]` for the class whose hooks it installs, or, with the feature `multiple-pymethods`, by
/// `#[pyclass]`.
pub trait HasHooks {}

/// Implemented by `#[pyclass(gc = false)]`.
pub trait LeftAlone {}

/// The hooks of the class `T`. Its inherent items exist only for the classes that they are meant for, and go before
/// those of [`NoHooks`], which stand in for all others.
pub struct Hooks<T>(PhantomData<T>);

impl<T: HasHooks> Hooks<T> {
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
    #[inline]
    pub fn clear(object: &Bound<'_, T>) {
        let mut graveyard = Graveyard::new();
        T::Frozen::clear_into(object, &mut graveyard);
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
