//! What the expansions of this crate's macros name. Not part of the public interface: it changes without notice.

use core::marker::PhantomData;

pub use core::result::Result::{Err, Ok};
pub use pyo3::{Bound, PyTraverseError, PyVisit, pyclass, pymethods};

use crate::PyGcTraversable;
pub use crate::class::{HasHooks, Hooks, LeftAlone, NoHooks};
pub use crate::graveyard::{clear_interior_now, clear_now};

/// What every `traverse` returns.
pub type TraverseResult = Result<(), PyTraverseError>;

/// The visitor once more: `PyVisit` is `Copy` only from PyO3 0.30 on.
#[inline]
#[must_use]
#[allow(clippy::clone_on_copy)]
pub fn again<'v>(visit: &PyVisit<'v>) -> PyVisit<'v> {
    visit.clone()
}

/// `<Probe<T>>::IS_TRAVERSABLE` says whether `T` implements [`PyGcTraversable`]: the inherent constant, which exists only
/// if it does, goes before that of [`NotTraversable`]. Where it can't be known, in generic code, the answer is no.
pub struct Probe<T: ?Sized>(PhantomData<T>);

/// The answer of [`Probe`] where there is no other.
pub trait NotTraversable {
    /// No.
    const IS_TRAVERSABLE: bool = false;
    /// It isn't known, so that it may.
    const MAY_CONTAIN_CYCLES: bool = true;
}

impl<T: ?Sized> NotTraversable for Probe<T> {}

impl<T: PyGcTraversable + ?Sized> Probe<T> {
    /// Yes.
    pub const IS_TRAVERSABLE: bool = true;
    /// What the type says.
    pub const MAY_CONTAIN_CYCLES: bool = T::MAY_CONTAIN_CYCLES;
}
