//! Family macros: one invocation implements the trait for one type, and says how that type is looked into.
//!
//! All of them visit and clear their parts through `PyGcTraversable` itself, so that the contract holds if it
//! holds for the parts and if the family's own claim holds, which stands above its `unsafe impl`.

mod cells;
mod collections;
mod parts;

#[cfg(any(lazy_get, feature = "once_cell"))]
pub(crate) use cells::lazy;
pub(crate) use cells::{guarded, once};
pub(crate) use collections::{bury_items, map, sequence};
pub(crate) use parts::{channel, fields, wrapper};

/// Declares types that never own a Python object, so that they can be fields of a class without further ado.
///
/// For types of your own; a foreign type is excluded with `#[pyo3(gc = false)]` on the field. Do not declare a
/// type that owns a Python reference: a reference cycle through it would never be collected.
///
/// # Examples
///
/// ```
/// use pyo3_gc::PyGcTraversable;
///
/// struct RawHandle(u64);
/// struct Typed<T>(u64, std::marker::PhantomData<T>);
///
/// pyo3_gc::leaf!(RawHandle);
/// pyo3_gc::leaf!(impl[T] Typed<T>);
///
/// assert!(!RawHandle::MAY_CONTAIN_CYCLES);
/// assert!(!Typed::<String>::MAY_CONTAIN_CYCLES);
/// ```
///
/// Attributes before a type are those of its implementation:
///
/// ```
/// #[cfg(unix)]
/// struct Terminal(std::os::fd::RawFd);
///
/// pyo3_gc::leaf!(
///     #[cfg(unix)]
///     Terminal,
/// );
/// ```
#[macro_export]
macro_rules! leaf {
    ($(#[$attr:meta])* impl[$($generics:tt)*] $ty:ty) => {
        $(#[$attr])*
        // SAFETY: 5: by the word of whoever declares it, it owns no Python reference. 1 to 4: nothing is visited
        // or touched. 6: clearing does nothing.
        unsafe impl<$($generics)*> $crate::PyGcTraversable for $ty {
            const MAY_CONTAIN_CYCLES: bool = false;
            const IS_CONDITIONAL: bool = $crate::__private::is_conditional(::core::module_path!());

            #[inline]
            fn traverse(&self, _: $crate::__private::PyVisit<'_>) -> $crate::__private::TraverseResult {
                $crate::__private::Ok(())
            }

            #[inline]
            fn clear(&mut self) {}
        }
    };
    ($($(#[$attr:meta])* $ty:ty),+ $(,)?) => {
        $($crate::leaf!($(#[$attr])* impl[] $ty);)+
    };
}

/// Says that the constant of a type is the OR of those of one or two of its arguments, or of none of them: see
/// [`Composed`](crate::probes::Composed). An argument that is the only one to be owned may come second, as that of
/// `lock_api::Mutex<R, T>` does, or first, as in an alias of that type.
macro_rules! composed {
    (impl[$($generics:tt)*] $ty:ty: $part:ty $(where $bounded:ty: $bound:path)?) => {
        impl<$($generics)*> $crate::probes::Composed<(*const $part,), 0b01> for $ty $(where $bounded: $bound)? {
            type Others = ();
        }
        impl<$($generics)*> $crate::probes::Composed<(*const $part,), 0b10> for $ty $(where $bounded: $bound)? {
            type Others = ();
        }
    };
    (impl[$($generics:tt)*] $ty:ty: $first:ty, $second:ty) => {
        impl<$($generics)*> $crate::probes::Composed<(*const $first,), 0b01> for $ty {
            type Others = ($second,);
        }
        impl<$($generics)*> $crate::probes::Composed<(*const $second,), 0b10> for $ty {
            type Others = ($first,);
        }
        impl<$($generics)*> $crate::probes::Composed<(*const $first, *const $second), 0b11> for $ty {
            type Others = ();
        }
    };
    (leaf impl[$($generics:tt)*] $ty:ty: $part:ty) => {
        impl<$($generics)*> $crate::probes::Composed<(*const $part,), 0b01> for $ty {
            type Others = ();
            const OWNS_THEM: bool = false;
        }
    };
}

/// What a type says of itself through its parts, the types that its impl asks to implement the trait.
macro_rules! of_parts {
    ($($part:ty),*) => {
        const put__pyo3_gc_recursive__on_one_of_these_types: bool = false
            $(|| <$part as $crate::PyGcTraversable>::put__pyo3_gc_recursive__on_one_of_these_types)*;
        const IS_CONDITIONAL: bool = $crate::probes::is_conditional(module_path!())
            $(|| <$part as $crate::PyGcTraversable>::IS_CONDITIONAL)*;
        const HIDES_OBJECTS: bool = false $(|| <$part as $crate::PyGcTraversable>::HIDES_OBJECTS)*;

        fn list_hidden(list: &mut $crate::hidden::HiddenFields) {
            $(<$part as $crate::PyGcTraversable>::list_hidden(list);)*
        }
    };
}

/// The two methods that drop at once, in terms of the two that move out.
macro_rules! clear_through_graveyard {
    () => {
        fn clear(&mut self) {
            $crate::__private::clear_now(self);
        }

        fn clear_interior(&self) {
            $crate::__private::clear_interior_now(self);
        }
    };
}

pub(crate) use {clear_through_graveyard, composed, of_parts};
