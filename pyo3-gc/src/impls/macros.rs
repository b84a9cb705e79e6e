//! Family macros: one invocation implements the trait for one type, and says how that type is looked into.
//!
//! All of them visit and clear their parts through `PyGcTraversable` itself, so that the contract holds if it
//! holds for the parts and if the family's own claim holds, which stands above its `unsafe impl`.

use crate::{Graveyard, PyGcTraversable};

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

/// Types whose parts can be matched: one arm a variant, and the parts that it binds.
macro_rules! fields {
    ($([$($attr:meta),*])? impl[$($param:ident),*] $ty:ty { $($pattern:pat => [$($part:ident),*]),+ $(,)? }) => {
        $(#[$($attr),*])?
        // SAFETY: 1 and 4: every part is bound by exactly one name of the one arm that matches, and visited once.
        // 2: matching reads. 3: `?`. 5: the OR over the types of all parts. 6: parts are cleared in place, by
        // their own impls; the shape stays.
        unsafe impl<$($param: $crate::PyGcTraversable),*> $crate::PyGcTraversable for $ty {
            const MAY_CONTAIN_CYCLES: bool = false $(|| $param::MAY_CONTAIN_CYCLES)*;
            const NEEDS_NO_BOX: bool = true $(&& $param::NEEDS_NO_BOX)*;
            $crate::impls::of_parts!($($param),*);

            #[inline]
            #[allow(unused_variables)]
            fn traverse(&self, visit: $crate::__private::PyVisit<'_>) -> $crate::__private::TraverseResult {
                match self {
                    $($pattern => {
                        $($part.traverse($crate::__private::again(&visit))?;)*
                    })+
                }
                Ok(())
            }

            $crate::impls::clear_through_graveyard!();

            #[allow(unused_variables)]
            fn clear_into<'g>(&mut self, graveyard: &mut $crate::Graveyard<'g>)
            where
                Self: 'g,
            {
                match self {
                    $($pattern => {
                        $($part.clear_into(graveyard);)*
                    })+
                }
            }

            #[allow(unused_variables)]
            fn clear_interior_into<'g>(&self, graveyard: &mut $crate::Graveyard<'g>)
            where
                Self: 'g,
            {
                match self {
                    $($pattern => {
                        $($part.clear_interior_into(graveyard);)*
                    })+
                }
            }

            #[allow(unused_variables)]
            fn bury<'g>(self, graveyard: &mut $crate::Graveyard<'g>)
            where
                Self: Sized + 'g,
            {
                match self {
                    $($pattern => {
                        $($part.bury(graveyard);)*
                    })+
                }
            }
        }
    };
}

/// Collections of `T`: `$iter` iterates over the elements, as `iter()` does where nothing else is said; `$take` moves them
/// all out and leaves the collection empty.
macro_rules! sequence {
    (impl[$($generics:tt)*] $ty:ty, |$this:ident| $take:expr) => {
        $crate::impls::sequence!(impl[$($generics)*] $ty, iter |this| this.iter(), |$this| $take);
    };
    (impl[$($generics:tt)*] $ty:ty, iter |$i:ident| $iter:expr, |$this:ident| $take:expr) => {
        $crate::impls::composed!(impl[T, $($generics)*] $ty: T);

        // SAFETY: 1 and 4: `$iter` yields each element once. 2: iterating over a shared reference reads.
        // 3: `?`. 5: the elements' own answer. 6: an empty collection is a collection.
        unsafe impl<T: $crate::PyGcTraversable, $($generics)*> $crate::PyGcTraversable for $ty {
            const MAY_CONTAIN_CYCLES: bool = T::MAY_CONTAIN_CYCLES;
            $crate::impls::of_parts!(T);

            #[inline]
            fn traverse(&self, visit: $crate::__private::PyVisit<'_>) -> $crate::__private::TraverseResult {
                if T::MAY_CONTAIN_CYCLES {
                    let $i = self;
                    for item in $iter {
                        item.traverse($crate::__private::again(&visit))?;
                    }
                }
                Ok(())
            }

            $crate::impls::clear_through_graveyard!();

            fn clear_into<'g>(&mut self, graveyard: &mut $crate::Graveyard<'g>)
            where
                Self: 'g,
            {
                if T::MAY_CONTAIN_CYCLES {
                    let $this = self;
                    $crate::impls::bury_items($take, graveyard);
                }
            }

            fn clear_interior_into<'g>(&self, graveyard: &mut $crate::Graveyard<'g>)
            where
                Self: 'g,
            {
                if T::MAY_CONTAIN_CYCLES {
                    let $i = self;
                    for item in $iter {
                        item.clear_interior_into(graveyard);
                    }
                }
            }
        }
    };
}

/// Maps from `K` to `V`, as [`sequence!`] has it: keys and values alike.
macro_rules! map {
    (impl[$($generics:tt)*] $ty:ty, |$this:ident| $take:expr) => {
        $crate::impls::map!(impl[$($generics)*] $ty, iter |this| this.iter(), |$this| $take);
    };
    (impl[$($generics:tt)*] $ty:ty, iter |$i:ident| $iter:expr, |$this:ident| $take:expr) => {
        $crate::impls::composed!(impl[K, V, $($generics)*] $ty: K, V);

        // SAFETY: 1 and 4: `$iter` yields each key and each value once, and hashes nothing. 2: iterating over a
        // shared reference reads. 3: `?`. 5: the answer of keys or values. 6: an empty map is a map.
        unsafe impl<K: $crate::PyGcTraversable, V: $crate::PyGcTraversable, $($generics)*>
            $crate::PyGcTraversable for $ty
        {
            const MAY_CONTAIN_CYCLES: bool = K::MAY_CONTAIN_CYCLES || V::MAY_CONTAIN_CYCLES;
            $crate::impls::of_parts!(K, V);

            #[inline]
            fn traverse(&self, visit: $crate::__private::PyVisit<'_>) -> $crate::__private::TraverseResult {
                if Self::MAY_CONTAIN_CYCLES {
                    let $i = self;
                    for (key, value) in $iter {
                        key.traverse($crate::__private::again(&visit))?;
                        value.traverse($crate::__private::again(&visit))?;
                    }
                }
                Ok(())
            }

            $crate::impls::clear_through_graveyard!();

            fn clear_into<'g>(&mut self, graveyard: &mut $crate::Graveyard<'g>)
            where
                Self: 'g,
            {
                if Self::MAY_CONTAIN_CYCLES {
                    let $this = self;
                    let (keys, values): (Vec<K>, Vec<V>) = $take.into_iter().unzip();
                    $crate::impls::bury_items(keys, graveyard);
                    $crate::impls::bury_items(values, graveyard);
                }
            }

            fn clear_interior_into<'g>(&self, graveyard: &mut $crate::Graveyard<'g>)
            where
                Self: 'g,
            {
                if Self::MAY_CONTAIN_CYCLES {
                    let $i = self;
                    for (key, value) in $iter {
                        key.clear_interior_into(graveyard);
                        value.clear_interior_into(graveyard);
                    }
                }
            }
        }
    };
}

/// Cells and locks that hand out a guard, or refuse at once: `$read` and `$write` answer `None` where somebody
/// holds the value in a way that excludes us.
macro_rules! guarded {
    (
        $(#[$attr:meta])*
        impl[$($generics:tt)*] $ty:ty,
        read |$r:ident| $read:expr,
        write |$w:ident| $write:expr,
        get_mut |$m:ident| $get_mut:expr
    ) => {
        $crate::impls::composed!(impl[T: ?Sized, $($generics)*] $ty: T);

        $(#[$attr])*
        // SAFETY: 1: the value owns its contents, and they are visited at most once, under one guard. 2: taking
        // and releasing an uncontended guard blocks on nothing and calls nothing; a refusal visits nothing.
        // 3: passed on. 4: the contents' own promise, while nobody else holds the guard; where somebody does, it
        // is Rust code that is about to change the value. 5: the contents' own answer. 6: contents are moved out
        // under the guard and dropped after it.
        unsafe impl<T: $crate::PyGcTraversable + ?Sized, $($generics)*> $crate::PyGcTraversable for $ty {
            const MAY_CONTAIN_CYCLES: bool = T::MAY_CONTAIN_CYCLES;
            $crate::impls::of_parts!(T);

            fn traverse(&self, visit: $crate::__private::PyVisit<'_>) -> $crate::__private::TraverseResult {
                if T::MAY_CONTAIN_CYCLES {
                    let $r = self;
                    if let Some(guard) = $read {
                        return (*guard).traverse(visit);
                    }
                }
                Ok(())
            }

            $crate::impls::clear_through_graveyard!();

            fn clear_into<'g>(&mut self, graveyard: &mut $crate::Graveyard<'g>)
            where
                Self: 'g,
            {
                let $m = self;
                $get_mut.clear_into(graveyard);
            }

            fn clear_interior_into<'g>(&self, graveyard: &mut $crate::Graveyard<'g>)
            where
                Self: 'g,
            {
                if T::MAY_CONTAIN_CYCLES {
                    let $w = self;
                    if let Some(mut guard) = $write {
                        (*guard).clear_into(graveyard);
                    }
                }
            }
        }
    };
}

/// Cells that are written once: `$get` answers `None` before that, and never blocks.
macro_rules! once {
    (impl[$($generics:tt)*] $ty:ty, get |$g:ident| $get:expr, take |$t:ident| $take:expr) => {
        $crate::impls::composed!(impl[T, $($generics)*] $ty: T);

        // SAFETY: 1: the cell owns its contents and visits them once. 2: looking whether the cell is written
        // neither blocks nor initialises. 3: passed on. 4: a written cell stays written while it is shared.
        // 5: the contents' own answer. 6: an unwritten cell is a cell.
        unsafe impl<T: $crate::PyGcTraversable, $($generics)*> $crate::PyGcTraversable for $ty {
            const MAY_CONTAIN_CYCLES: bool = T::MAY_CONTAIN_CYCLES;
            $crate::impls::of_parts!(T);

            #[inline]
            fn traverse(&self, visit: $crate::__private::PyVisit<'_>) -> $crate::__private::TraverseResult {
                let $g = self;
                match $get {
                    Some(value) => value.traverse(visit),
                    None => Ok(()),
                }
            }

            $crate::impls::clear_through_graveyard!();

            fn clear_into<'g>(&mut self, graveyard: &mut $crate::Graveyard<'g>)
            where
                Self: 'g,
            {
                if T::MAY_CONTAIN_CYCLES {
                    let $t = self;
                    if let Some(value) = $take {
                        value.bury(graveyard);
                    }
                }
            }

            fn clear_interior_into<'g>(&self, graveyard: &mut $crate::Graveyard<'g>)
            where
                Self: 'g,
            {
                let $g = self;
                if let Some(value) = $get {
                    value.clear_interior_into(graveyard);
                }
            }
        }
    };
}

/// Lazy cells with `get` and `get_mut` that don't force. What the initialiser captures is hidden, as it is in every
/// closure.
#[cfg(any(lazy_get, feature = "once_cell"))]
macro_rules! lazy {
    (impl[$($generics:tt)*] $lazy:ty) => {
        $crate::impls::composed!(impl[T, $($generics)*] $lazy: T);

        // SAFETY: 1: the cell owns its contents and visits them once. 2: `get` neither blocks nor initialises.
        // 3: passed on. 4: an initialised cell stays so. 5: the contents' own answer; an initialiser isn't shown.
        // 6: contents are cleared in place, by their own impl.
        #[allow(clippy::incompatible_msrv, reason = "compiled only where std has it")]
        unsafe impl<T: $crate::PyGcTraversable, $($generics)*> $crate::PyGcTraversable for $lazy {
            const MAY_CONTAIN_CYCLES: bool = T::MAY_CONTAIN_CYCLES;
            // Std's are there only with a newer compiler, and once_cell's with a feature.
            const IS_CONDITIONAL: bool = true;

            fn list_hidden(list: &mut $crate::hidden::HiddenFields) {
                T::list_hidden(list);
            }

            #[inline]
            fn traverse(&self, visit: $crate::__private::PyVisit<'_>) -> $crate::__private::TraverseResult {
                match Self::get(self) {
                    Some(value) => value.traverse(visit),
                    None => Ok(()),
                }
            }

            $crate::impls::clear_through_graveyard!();

            fn clear_into<'g>(&mut self, graveyard: &mut $crate::Graveyard<'g>)
            where
                Self: 'g,
            {
                if let Some(value) = Self::get_mut(self) {
                    value.clear_into(graveyard);
                }
            }

            fn clear_interior_into<'g>(&self, graveyard: &mut $crate::Graveyard<'g>)
            where
                Self: 'g,
            {
                if let Some(value) = Self::get(self) {
                    value.clear_interior_into(graveyard);
                }
            }
        }
    };
}

/// Wrappers that lend what they wrap: `get_ref` and `get_mut`.
macro_rules! wrapper {
    (impl[$($generics:tt)*] $ty:ty) => {
        // SAFETY: 1 to 6: it owns what it wraps, and does what that does. 2: `get_ref` lends a field.
        unsafe impl<T: $crate::PyGcTraversable $($generics)*> $crate::PyGcTraversable for $ty {
            const MAY_CONTAIN_CYCLES: bool = T::MAY_CONTAIN_CYCLES;
            $crate::impls::of_parts!(T);

            #[inline]
            fn traverse(&self, visit: $crate::__private::PyVisit<'_>) -> $crate::__private::TraverseResult {
                self.get_ref().traverse(visit)
            }

            $crate::impls::clear_through_graveyard!();

            fn clear_into<'g>(&mut self, graveyard: &mut $crate::Graveyard<'g>)
            where
                Self: 'g,
            {
                self.get_mut().clear_into(graveyard);
            }

            fn clear_interior_into<'g>(&self, graveyard: &mut $crate::Graveyard<'g>)
            where
                Self: 'g,
            {
                self.get_ref().clear_interior_into(graveyard);
            }
        }
    };
}

/// The ends of a channel: leaves, if what is sent through it is one. Nothing can look at what lies in it.
macro_rules! channel {
    ($($ty:ty),+ $(,)?) => {$(
        // SAFETY: 5: of a leaf, no value owns a reference; where the payload is none, the use of `traverse` doesn't compile.
        // 1 to 4: nothing is visited or touched. 6: clearing does nothing.
        unsafe impl<T: $crate::PyGcTraversable> $crate::PyGcTraversable for $ty {
            const MAY_CONTAIN_CYCLES: bool = T::MAY_CONTAIN_CYCLES;
            const IS_CONDITIONAL: bool = $crate::probes::is_conditional(module_path!()) || T::IS_CONDITIONAL;
            const HIDES_OBJECTS: bool = T::MAY_CONTAIN_CYCLES;

            fn list_hidden(list: &mut $crate::hidden::HiddenFields) {
                T::list_hidden(list);
            }

            fn traverse(&self, _: $crate::__private::PyVisit<'_>) -> $crate::__private::TraverseResult {
                const {
                    assert!(
                        !Self::HIDES_OBJECTS,
                        "nothing can look into a channel, and what is sent through this one may own Python objects: put \
                         those into a `PyGcPool` and send the handles, or say why no cycle can run through it: \
                         `#[pyo3_gc(hidden = \"reason\")]`"
                    );
                }
                Ok(())
            }

            fn clear(&mut self) {}
        }
    )+};
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

/// Buries the items of a collection: one by one, if that takes no boxes, else in one box.
pub(crate) fn bury_items<'g, T: PyGcTraversable + 'g>(
    items: impl IntoIterator<Item = T>,
    graveyard: &mut Graveyard<'g>,
) {
    if T::NEEDS_NO_BOX {
        items.into_iter().for_each(|item| item.bury(graveyard));
    } else {
        items.into_iter().collect::<Vec<_>>().bury(graveyard);
    }
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

#[cfg(any(lazy_get, feature = "once_cell"))]
pub(crate) use lazy;
pub(crate) use {
    channel, clear_through_graveyard, composed, fields, guarded, map, of_parts, once, sequence, wrapper,
};
