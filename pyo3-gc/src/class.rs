//! What the expansions of `#[pyclass]` and `#[pymethods]` call.

use std::ffi::{c_int, c_void};
use std::marker::PhantomData;
use std::ptr;

use pyo3::impl_::pyclass::PyClassBaseType;
use pyo3::prelude::*;
use pyo3::{PyClass, PyVisit, ffi};

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

impl<T: PyClass + PyGcTraversable> Hooks<T> {
    /// `tp_traverse`, but for the base class, the type object and `__dict__`, which are PyO3's to visit.
    ///
    /// # Errors
    ///
    /// The visitor's, unchanged.
    #[inline]
    pub fn traverse(value: &T, visit: PyVisit<'_>) -> TraverseResult {
        if const { may_be_blank::<T>() } && is_blank(value) {
            return Ok(());
        }
        value.traverse(visit)
    }
}

/// Whether a collection may come while an instance is being made, and meet it before its value is written.
///
/// PyO3 calls the base's `tp_new`, and then writes the value. CPython's `tp_alloc` fills the instance with zeros and tracks
/// it, after which `object_new` of 3.11 asks for memory for the `__dict__` that the class has, and upon that 3.11 may collect
/// (`Objects/typeobject.c`, `Modules/gcmodule.c`). So may other bases: `OSError_new` asks for a `dict`, too.
const fn may_be_blank<T: PyClass>() -> bool {
    size_of::<T::Dict>() > 0
        || size_of::<<T::BaseType as PyClassBaseType>::LayoutAsBase>() != size_of::<ffi::PyObject>()
}

/// Whether the value is still all zeros. Such a value owns no object: a reference to one, or to what owns one, isn't null.
fn is_blank<T>(value: &T) -> bool {
    unsafe extern "C" {
        fn memcmp(one: *const c_void, other: *const c_void, bytes: usize) -> c_int;
    }
    const ZEROS: [u8; 64] = [0; 64];
    let start = ptr::from_ref(value).cast::<u8>();
    (0..size_of::<T>()).step_by(ZEROS.len()).all(|offset| {
        let bytes = ZEROS.len().min(size_of::<T>() - offset);
        // SAFETY: The offset lies within the value.
        let chunk = unsafe { start.add(offset) };
        // SAFETY: Both are valid for so many bytes. It is C that reads them, to which padding is memory like any other.
        let difference = unsafe { memcmp(chunk.cast(), ZEROS.as_ptr().cast(), bytes) };
        difference == 0
    })
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
