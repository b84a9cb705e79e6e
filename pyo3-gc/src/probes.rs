//! Whether a type implements [`PyGcTraversable`], and what it says, asked of types that may not.

use std::marker::PhantomData;

use pyo3::PyVisit;

use crate::traversable::TraverseResult;
use crate::{Graveyard, PyGcTraversable};

/// `<Probe<T>>::IS_TRAVERSABLE` says whether `T` implements [`PyGcTraversable`]: the inherent constant, which exists only
/// if it does, goes before that of [`NotTraversable`]. Where it can't be known, in generic code, the answer is no.
pub struct Probe<T: ?Sized>(PhantomData<T>);

/// The answer of [`Probe`] where there is no other.
pub trait NotTraversable {
    /// No.
    const IS_TRAVERSABLE: bool = false;
    /// Not that it is known.
    const IS_ALWAYS_TRAVERSABLE: bool = false;
    /// It can't be shown.
    const IS_UNSHOWN: bool = true;
    /// Nothing: that the type doesn't implement the trait is an error, which is said of the field, and enough.
    #[allow(non_upper_case_globals, reason = "said by rustc where it is wanted")]
    const put__pyo3_gc_recursive__on_one_of_these_types: bool = false;

    /// Visits nothing: that the type doesn't implement the trait is said elsewhere.
    ///
    /// # Errors
    ///
    /// None.
    fn traverse<T: ?Sized>(_: &T, _: PyVisit<'_>) -> TraverseResult {
        Ok(())
    }

    /// Clears nothing.
    fn clear_into<T: ?Sized>(_: &mut T, _: &mut Graveyard<'_>) {}

    /// Clears nothing.
    fn clear_interior_into<T: ?Sized>(_: &T, _: &mut Graveyard<'_>) {}
}

impl<T: ?Sized> NotTraversable for Probe<T> {}

impl<T: PyGcTraversable + ?Sized> Probe<T> {
    /// Yes.
    pub const IS_TRAVERSABLE: bool = true;
    /// Unless the impl is there only in some builds.
    pub const IS_ALWAYS_TRAVERSABLE: bool = !T::IS_CONDITIONAL;
    /// Unless the type says that it hides something.
    pub const IS_UNSHOWN: bool = T::HIDES_OBJECTS;
    /// What the type says.
    #[allow(non_upper_case_globals, reason = "said by rustc where it is wanted")]
    pub const put__pyo3_gc_recursive__on_one_of_these_types: bool =
        T::put__pyo3_gc_recursive__on_one_of_these_types;

    /// What the type does.
    ///
    /// # Errors
    ///
    /// The visitor's, unchanged.
    #[inline]
    pub fn traverse(value: &T, visit: PyVisit<'_>) -> TraverseResult {
        value.traverse(visit)
    }

    /// What the type does.
    #[inline]
    pub fn clear_into<'g>(value: &mut T, graveyard: &mut Graveyard<'g>)
    where
        T: 'g,
    {
        value.clear_into(graveyard);
    }

    /// What the type does.
    #[inline]
    pub fn clear_interior_into<'g>(value: &T, graveyard: &mut Graveyard<'g>)
    where
        T: 'g,
    {
        value.clear_interior_into(graveyard);
    }
}

/// Implemented by a type whose `MAY_CONTAIN_CYCLES` is the OR of those of `Others` and, if it owns them, of `P`: types among
/// its arguments (as `(*const A, *const B)`), at the positions that are the bits of `AT`.
///
/// It asks nothing of the parts, so that the derive can ask a type about itself in a constant of one of them. What it says is
/// true of the type, by whatever name the type is called.
pub trait Composed<P, const AT: usize> {
    /// What else it owns, a tuple.
    type Others;
    /// Whether it owns the parts.
    const OWNS_THEM: bool = true;
}

/// Asks whether `T` is `Composed` of `P` at `AT`, as [`Probe`] asks.
pub struct Parts<T: ?Sized, P, const AT: usize>(PhantomData<(P, T)>);

/// The answer of [`Parts`] where there is no other: it isn't known, so that all of it may.
pub trait NotComposed {
    /// It may.
    #[allow(non_upper_case_globals, reason = "said by rustc where it is wanted")]
    const put__pyo3_gc_recursive__on_one_of_these_types: bool = true;
    /// It may.
    const OWNS_THEM: bool = true;
}

impl<T: ?Sized, P, const AT: usize> NotComposed for Parts<T, P, AT> {}

impl<T, P, const AT: usize> Parts<T, P, AT>
where
    T: Composed<P, AT, Others: PyGcTraversable> + ?Sized,
{
    /// What the other parts say.
    #[allow(non_upper_case_globals, reason = "said by rustc where it is wanted")]
    pub const put__pyo3_gc_recursive__on_one_of_these_types: bool =
        T::Others::put__pyo3_gc_recursive__on_one_of_these_types;
    /// What the type says.
    pub const OWNS_THEM: bool = T::OWNS_THEM;
}

/// Whether an impl in this module is there only in some builds: all those for types of other crates, which features bring.
#[must_use]
pub const fn is_conditional(module: &str) -> bool {
    let (module, prefix) = (module.as_bytes(), b"pyo3_gc::impls::third_party");
    let mut position = 0;
    while position < prefix.len() {
        if position >= module.len() || module[position] != prefix[position] {
            return false;
        }
        position += 1;
    }
    true
}
