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

pub(crate) use {channel, fields, wrapper};
