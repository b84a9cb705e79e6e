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

#[cfg(any(lazy_get, feature = "once_cell"))]
pub(crate) use lazy;
pub(crate) use {guarded, once};
