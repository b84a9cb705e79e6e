use pyo3::PyVisit;

use crate::traversable::TraverseResult;
use crate::{Graveyard, PyGcTraversable};

/// [`PyGcTraversable`] for trait objects: make it a supertrait of your own trait, and declare the trait with
/// [`dyn_traversable!`](crate::dyn_traversable).
///
/// Every type that implements [`PyGcTraversable`] implements it. It has no constant, so that it is dyn-compatible,
/// and its methods have names of their own, so that they never compete with those of [`PyGcTraversable`].
///
/// # Examples
///
/// ```
/// use pyo3::prelude::*;
/// use pyo3_gc::{DynPyGcTraversable, PyGcTraversable};
///
/// trait Observer: DynPyGcTraversable + Send + Sync {
///     fn notify(&self, py: Python<'_>) -> PyResult<()>;
/// }
/// pyo3_gc::dyn_traversable!(Observer);
///
/// #[derive(PyGcTraversable)]
/// struct Call(Py<PyAny>);
///
/// impl Observer for Call {
///     fn notify(&self, py: Python<'_>) -> PyResult<()> {
///         self.0.call0(py).map(drop)
///     }
/// }
///
/// #[derive(PyGcTraversable)]
/// struct Subject {
///     observers: Vec<Box<dyn Observer>>,
/// }
/// # let _ = Subject { observers: Vec::new() };
/// ```
///
/// # Safety
///
/// The contract of [`PyGcTraversable`]. There is no reason to implement it by hand.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be asked what it owns",
    label = "the trait doesn't have `DynPyGcTraversable` for a supertrait",
    note = "add it to the trait: `trait Name: pyo3_gc::DynPyGcTraversable`"
)]
pub unsafe trait DynPyGcTraversable {
    /// [`PyGcTraversable::traverse`].
    ///
    /// # Errors
    ///
    /// The visitor's error, unchanged, at once.
    fn dyn_traverse(&self, visit: PyVisit<'_>) -> TraverseResult;

    /// [`PyGcTraversable::clear_into`].
    fn dyn_clear_into<'g>(&mut self, graveyard: &mut Graveyard<'g>)
    where
        Self: 'g;

    /// [`PyGcTraversable::clear_interior_into`].
    fn dyn_clear_interior_into<'g>(&self, graveyard: &mut Graveyard<'g>)
    where
        Self: 'g;
}

// SAFETY: 1 to 6: each method is that of `PyGcTraversable`.
#[diagnostic::do_not_recommend]
unsafe impl<T: PyGcTraversable> DynPyGcTraversable for T {
    fn dyn_traverse(&self, visit: PyVisit<'_>) -> TraverseResult {
        self.traverse(visit)
    }

    fn dyn_clear_into<'g>(&mut self, graveyard: &mut Graveyard<'g>)
    where
        Self: 'g,
    {
        self.clear_into(graveyard);
    }

    fn dyn_clear_interior_into<'g>(&self, graveyard: &mut Graveyard<'g>)
    where
        Self: 'g,
    {
        self.clear_interior_into(graveyard);
    }
}

/// Declares that trait objects of a trait of yours take part in garbage collection: `dyn Trait`, with and without `Send`
/// and `Sync`. The trait must have [`DynPyGcTraversable`] as a supertrait.
///
/// For a generic trait, name the parameters first: `dyn_traversable!(impl[T] Visitor<T>)`.
///
/// See [`DynPyGcTraversable`] for an example.
#[macro_export]
macro_rules! dyn_traversable {
    (impl[$($generics:tt)*] $($name:tt)+) => {
        $crate::__dyn_traversable!([$($generics)*] dyn $($name)+ + '__object);
        $crate::__dyn_traversable!([$($generics)*] dyn $($name)+ + ::core::marker::Send + '__object);
        $crate::__dyn_traversable!([$($generics)*] dyn $($name)+ + ::core::marker::Sync + '__object);
        $crate::__dyn_traversable!(
            [$($generics)*] dyn $($name)+ + ::core::marker::Send + ::core::marker::Sync + '__object
        );
    };
    ($name:path) => {
        $crate::dyn_traversable!(impl[] $name);
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __dyn_traversable {
    ([$($generics:tt)*] $object:ty) => {
        // SAFETY: 1 to 4 and 6: the methods are those of the concrete type, which keeps the contract. 5: true, since
        // the concrete type isn't known.
        unsafe impl<'__object, $($generics)*> $crate::PyGcTraversable for $object {
            const MAY_CONTAIN_CYCLES: bool = true;

            fn traverse(&self, visit: $crate::__private::PyVisit<'_>) -> $crate::__private::TraverseResult {
                $crate::DynPyGcTraversable::dyn_traverse(self, visit)
            }

            fn clear(&mut self) {
                $crate::__private::clear_now(self);
            }

            fn clear_interior(&self) {
                $crate::__private::clear_interior_now(self);
            }

            fn clear_into<'__g>(&mut self, graveyard: &mut $crate::Graveyard<'__g>)
            where
                Self: '__g,
            {
                $crate::DynPyGcTraversable::dyn_clear_into(self, graveyard);
            }

            fn clear_interior_into<'__g>(&self, graveyard: &mut $crate::Graveyard<'__g>)
            where
                Self: '__g,
            {
                $crate::DynPyGcTraversable::dyn_clear_interior_into(self, graveyard);
            }
        }
    };
}
