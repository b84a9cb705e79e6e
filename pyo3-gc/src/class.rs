//! What the expansions of `#[pyclass]` and `#[pymethods]` call.

use std::marker::PhantomData;

use pyo3::prelude::*;
use pyo3::{PyClass, PyVisit};

use crate::PyGcTraversable;
use crate::clearing::{ClearThrough, clear};
use crate::traversable::TraverseResult;

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
    #[inline]
    pub fn clear(object: &Bound<'_, T>) {
        clear(object);
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
