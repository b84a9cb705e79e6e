use crate::{Graveyard, PyGcTraversable};

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

pub(crate) use {map, sequence};
