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
/// use pyo3_gc::DynPyGcTraversable;
///
/// trait Observer: DynPyGcTraversable + Send + Sync {
///     fn notify(&self, py: Python<'_>) -> PyResult<()>;
/// }
/// pyo3_gc::dyn_traversable!(Observer);
///
/// #[derive(pyo3_gc::PyGcTraversable)]
/// struct Call(Py<PyAny>);
///
/// impl Observer for Call {
///     fn notify(&self, py: Python<'_>) -> PyResult<()> {
///         self.0.call0(py).map(drop)
///     }
/// }
///
/// #[derive(pyo3_gc::PyGcTraversable)]
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
    message = "`{Self}` does not tell the garbage collector what it owns",
    label = "`PyGcTraversable` is not implemented for `{Self}`",
    note = "each type behind a trait object tells it: put `#[derive(pyo3_gc::PyGcTraversable)]` on `{Self}`, or declare it with `pyo3_gc::leaf!` if it never owns a Python object"
)]
pub unsafe trait DynPyGcTraversable: HasSupertrait {
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

/// Of trait objects, only those have it that inherit it from [`DynPyGcTraversable`], whether or not they implement
/// [`PyGcTraversable`]: what [`dyn_traversable!`](crate::dyn_traversable) checks.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be asked what it owns",
    label = "its trait doesn't have `DynPyGcTraversable` as a supertrait",
    note = "add it to the trait: `trait Name: pyo3_gc::DynPyGcTraversable`"
)]
pub trait HasSupertrait {}

#[diagnostic::do_not_recommend]
impl<T> HasSupertrait for T {}

/// A trait object that is asked what it owns. An inherent method goes before one of [`NotAsked`], which stands in where the
/// supertrait is missing, so that only the check says so.
#[doc(hidden)]
pub struct Object<R>(pub R);

impl<T: DynPyGcTraversable + ?Sized> Object<&T> {
    #[allow(clippy::missing_errors_doc, reason = "as `PyGcTraversable::traverse`")]
    pub fn traverse(self, visit: PyVisit<'_>) -> TraverseResult {
        self.0.dyn_traverse(visit)
    }

    pub fn clear_interior_into<'g>(self, graveyard: &mut Graveyard<'g>)
    where
        T: 'g,
    {
        self.0.dyn_clear_interior_into(graveyard);
    }
}

impl<T: DynPyGcTraversable + ?Sized> Object<&mut T> {
    pub fn clear_into<'g>(self, graveyard: &mut Graveyard<'g>)
    where
        T: 'g,
    {
        self.0.dyn_clear_into(graveyard);
    }
}

#[doc(hidden)]
pub trait NotAsked: Sized {
    fn traverse(self, _: PyVisit<'_>) -> TraverseResult {
        Ok(())
    }
    fn clear_into(self, _: &mut Graveyard<'_>) {}
    fn clear_interior_into(self, _: &mut Graveyard<'_>) {}
}

impl<R> NotAsked for Object<R> {}

/// Declares that trait objects of a trait of yours take part in garbage collection: `dyn Trait`, with any of the auto traits
/// `Send`, `Sync`, `Unpin`, `UnwindSafe` and `RefUnwindSafe`. The trait must have [`DynPyGcTraversable`] as a supertrait.
///
/// For a generic trait, name the parameters first: `dyn_traversable!(impl[T] Visitor<T>)`.
///
/// See [`DynPyGcTraversable`] for an example.
#[macro_export]
macro_rules! dyn_traversable {
    (impl[$($generics:tt)*] $($name:tt)+) => {
        $crate::__dyn_traversable!(@check [$($generics)*] dyn $($name)+ + '__object);
        $crate::__dyn_traversable!(
            @impl [$($generics)*] dyn $($name)+ + '__object,
            traverse |this, visit| $crate::__private::Object(this).traverse(visit),
            clear_into |this, graveyard| $crate::__private::Object(this).clear_into(graveyard),
            clear_interior_into |this, graveyard| $crate::__private::Object(this).clear_interior_into(graveyard)
        );
        $crate::__dyn_traversable!(
            [$($generics)*] [$($name)+] []
            [Send in marker] [Sync in marker] [Unpin in marker] [UnwindSafe in panic] [RefUnwindSafe in panic]
        );
    };
    ($name:path) => {
        $crate::dyn_traversable!(impl[] $name);
    };
}

// For `trait Shape: DynPyGcTraversable`, `dyn_traversable!(Shape)` expands to
//
//     const _: () = {
//         const fn has_supertrait<T: HasSupertrait + ?Sized>() {}
//         fn check<'__object>() {
//             has_supertrait::<dyn Shape + '__object>();
//         }
//     };
//     unsafe impl<'__object> PyGcTraversable for dyn Shape + '__object {
//         fn traverse(&self, visit: PyVisit<'_>) -> TraverseResult {
//             Object(self).traverse(visit)
//         }
//         …
//     }
//     unsafe impl<'__object> PyGcTraversable for dyn Shape + Send + '__object {
//         fn traverse(&self, visit: PyVisit<'_>) -> TraverseResult {
//             <dyn Shape + '__object>::traverse(self, visit)
//         }
//         …
//     }
//     // and so on, for each choice of auto traits
#[doc(hidden)]
#[macro_export]
macro_rules! __dyn_traversable {
    // Each auto trait in turn: without it, and with it.
    ($generics:tt $name:tt [$($chosen:tt)*] [$auto:ident in $module:ident] $($more:tt)*) => {
        $crate::__dyn_traversable!($generics $name [$($chosen)*] $($more)*);
        $crate::__dyn_traversable!($generics $name [$($chosen)* + ::core::$module::$auto] $($more)*);
    };
    ($generics:tt $name:tt []) => {};
    ($generics:tt [$($name:tt)+] [$($chosen:tt)+]) => {
        $crate::__dyn_traversable!(
            @impl $generics dyn $($name)+ $($chosen)+ + '__object,
            traverse |this, visit| <dyn $($name)+ + '__object as $crate::PyGcTraversable>::traverse(this, visit),
            clear_into |this, graveyard|
                <dyn $($name)+ + '__object as $crate::PyGcTraversable>::clear_into(this, graveyard),
            clear_interior_into |this, graveyard|
                <dyn $($name)+ + '__object as $crate::PyGcTraversable>::clear_interior_into(this, graveyard)
        );
    };
    (@check [$($generics:tt)*] $object:ty) => {
        const _: () = {
            const fn has_supertrait<T: $crate::__private::HasSupertrait + ?::core::marker::Sized>() {}
            #[allow(dead_code)]
            fn check<'__object, $($generics)*>() {
                has_supertrait::<$object>();
            }
        };
    };
    (
        @impl [$($generics:tt)*] $object:ty,
        traverse |$t:ident, $visit:ident| $traverse:expr,
        clear_into |$c:ident, $grave:ident| $clear_into:expr,
        clear_interior_into |$i:ident, $yard:ident| $clear_interior_into:expr
    ) => {
        // SAFETY: 1 to 4 and 6: the methods are those of the concrete type, which keeps the contract. 5: true, since
        // the concrete type isn't known.
        unsafe impl<'__object, $($generics)*> $crate::PyGcTraversable for $object {
            const MAY_CONTAIN_CYCLES: bool = true;

            #[inline]
            fn traverse(&self, $visit: $crate::__private::PyVisit<'_>) -> $crate::__private::TraverseResult {
                #[allow(unused_imports)]
                use $crate::__private::NotAsked as _;
                let $t = self;
                $traverse
            }

            #[inline]
            fn clear(&mut self) {
                $crate::__private::clear_now(self);
            }

            #[inline]
            fn clear_interior(&self) {
                $crate::__private::clear_interior_now(self);
            }

            #[inline]
            fn clear_into<'__g>(&mut self, $grave: &mut $crate::Graveyard<'__g>)
            where
                Self: '__g,
            {
                #[allow(unused_imports)]
                use $crate::__private::NotAsked as _;
                let $c = self;
                $clear_into;
            }

            #[inline]
            fn clear_interior_into<'__g>(&self, $yard: &mut $crate::Graveyard<'__g>)
            where
                Self: '__g,
            {
                #[allow(unused_imports)]
                use $crate::__private::NotAsked as _;
                let $i = self;
                $clear_interior_into;
            }
        }
    };
}
