//! Stand-ins: what answers for a foreign type in the fields of a derive.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::mem;
use std::sync::{Mutex, PoisonError, RwLock};

use pyo3::PyVisit;

use crate::impls::held;
use crate::traversable::{TraverseResult, again};
use crate::{Graveyard, PyGcTraversable};

/// Answers for a type `T` of another crate that owns Python objects, in a field marked `#[pyo3_gc(with = Type)]`.
///
/// The orphan rule forbids to implement [`PyGcTraversable`] for such a type. A type of your own stands in for it; it is never
/// made, only named. `Option<S>`, `Vec<S>`, `VecDeque<S>`, `Box<S>`, `Mutex<S>`, `RwLock<S>`, and `HashMap<K, S>` and
/// `BTreeMap<K, S>` for their values, stand in for the same of `T`s, if `S` stands in for `T`.
///
/// # Safety
///
/// The implementation keeps the [contract of `PyGcTraversable`](trait@PyGcTraversable#safety), by the same numbers, for the
/// values that it answers for: they visit what they own, once for each reference, and touch nothing.
///
/// Above all, a value must own alone what it visits. A persistent map (`rpds`, `im`) shares its inner nodes with the maps
/// that it was made from: each of them iterates over the same objects, of which the node owns one reference. A stand-in that
/// visits `map.iter()` visits that reference once for each map, and the collector may destroy live objects
/// (crate-py/rpds#264; a debug build of CPython aborts). What is shared inside takes a [`PyGcPool`](crate::PyGcPool).
///
/// # Examples
///
/// ```
/// use pyo3::prelude::*;
/// use pyo3::{PyTraverseError, PyVisit};
/// use pyo3_gc::{Graveyard, PyGcTraverseAs, pyclass, pymethods};
/// # mod foreign {
/// #     pub struct Slot<T>(pub Option<T>);
/// # }
/// use foreign::Slot; // of another crate, and owns what it holds
///
/// struct SlotOf;
///
/// // SAFETY: 1 and 4: the slot owns what is in it, which is visited once. 2: only reads. 3: passed on. 5: it may own one.
/// // 6: an empty slot is a slot.
/// unsafe impl PyGcTraverseAs<Slot<Py<PyAny>>> for SlotOf {
///     const MAY_CONTAIN_CYCLES: bool = true;
///
///     fn traverse(slot: &Slot<Py<PyAny>>, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
///         visit.call(&slot.0)
///     }
///
///     fn clear_into<'g>(slot: &mut Slot<Py<PyAny>>, graveyard: &mut Graveyard<'g>)
///     where
///         Slot<Py<PyAny>>: 'g,
///     {
///         graveyard.bury(slot.0.take()); // moved, and dropped once nothing is borrowed any more
///     }
/// }
///
/// #[pyclass]
/// struct Holder {
///     #[pyo3_gc(with = SlotOf)]
///     slot: Slot<Py<PyAny>>,
///     #[pyo3_gc(with = Vec<SlotOf>)]
///     others: Vec<Slot<Py<PyAny>>>,
/// }
///
/// #[pymethods]
/// impl Holder {}
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not stand in for `{T}`",
    label = "`PyGcTraverseAs<{T}>` is not implemented for `{Self}`",
    note = "write `unsafe impl PyGcTraverseAs<{T}> for {Self}`: see `pyo3_gc::PyGcTraverseAs`"
)]
pub unsafe trait PyGcTraverseAs<T: ?Sized> {
    /// Whether a value can own a Python reference at all.
    const MAY_CONTAIN_CYCLES: bool;

    /// Visits every Python object that the value owns, each as often as it is owned.
    ///
    /// # Errors
    ///
    /// The visitor's error, unchanged, at once.
    fn traverse(value: &T, visit: PyVisit<'_>) -> TraverseResult;

    /// Moves what the value owns into `graveyard`, so that a cycle through it breaks. Nothing is dropped here: the class is
    /// borrowed, and locks around the field are held.
    fn clear_into<'g>(value: &mut T, graveyard: &mut Graveyard<'g>)
    where
        T: 'g;

    /// The same for what can be emptied without `&mut`, which is all that a frozen class clears.
    fn clear_interior_into<'g>(value: &T, graveyard: &mut Graveyard<'g>)
    where
        T: 'g,
    {
        let _ = (value, graveyard);
    }

    /// [`clear_into`](Self::clear_into), by hand: drops at once.
    fn clear(value: &mut T) {
        Self::clear_into(value, &mut Graveyard::new());
    }

    /// [`clear_interior_into`](Self::clear_interior_into), by hand: drops at once.
    fn clear_interior(value: &T) {
        Self::clear_interior_into(value, &mut Graveyard::new());
    }
}

/// Containers of `T`, as those of `S`: `$iter` lends the elements, `$take` moves them all out.
macro_rules! elements {
    (impl[$($generics:tt)*] $ty:ty as $stand_in:ty, |$i:ident| $iter:expr, |$t:ident| $take:expr) => {
        // SAFETY: 1 and 4: the container owns each element, and `$iter` yields it once. 2: iterating reads. 3: `?`. 5: the
        // elements' own answer, or that of the keys. 6: an empty container is one.
        unsafe impl<T, S: PyGcTraverseAs<T>, $($generics)*> PyGcTraverseAs<$ty> for $stand_in {
            const MAY_CONTAIN_CYCLES: bool = S::MAY_CONTAIN_CYCLES;

            fn traverse($i: &$ty, visit: PyVisit<'_>) -> TraverseResult {
                for item in $iter {
                    S::traverse(item, again(&visit))?;
                }
                Ok(())
            }

            fn clear_into<'g>($t: &mut $ty, graveyard: &mut Graveyard<'g>)
            where
                $ty: 'g,
            {
                if S::MAY_CONTAIN_CYCLES {
                    graveyard.bury($take);
                }
            }

            fn clear_interior_into<'g>($i: &$ty, graveyard: &mut Graveyard<'g>)
            where
                $ty: 'g,
            {
                for item in $iter {
                    S::clear_interior_into(item, graveyard);
                }
            }
        }
    };
}

elements!(impl[] Option<T> as Option<S>, |this| this.iter(), |this| this.take());
elements!(impl[] Vec<T> as Vec<S>, |this| this.iter(), |this| mem::take(this));
elements!(impl[] VecDeque<T> as VecDeque<S>, |this| this.iter(), |this| mem::take(this));

/// Maps with values of `T`, as those of `S`; keys answer for themselves.
macro_rules! values {
    (impl[$($generics:tt)*] $ty:ty as $stand_in:ty, |$t:ident| $take:expr) => {
        // SAFETY: 1 and 4: the map owns each key and each value, and yields it once. 2: iterating reads. 3: `?`. 5: the
        // answer of keys or values. 6: an empty map is one.
        unsafe impl<K: PyGcTraversable, T, S: PyGcTraverseAs<T>, $($generics)*> PyGcTraverseAs<$ty> for $stand_in {
            const MAY_CONTAIN_CYCLES: bool = K::MAY_CONTAIN_CYCLES || S::MAY_CONTAIN_CYCLES;

            fn traverse(this: &$ty, visit: PyVisit<'_>) -> TraverseResult {
                for (key, value) in this {
                    key.traverse(again(&visit))?;
                    S::traverse(value, again(&visit))?;
                }
                Ok(())
            }

            fn clear_into<'g>($t: &mut $ty, graveyard: &mut Graveyard<'g>)
            where
                $ty: 'g,
            {
                if <Self as PyGcTraverseAs<$ty>>::MAY_CONTAIN_CYCLES {
                    graveyard.bury($take);
                }
            }

            fn clear_interior_into<'g>(this: &$ty, graveyard: &mut Graveyard<'g>)
            where
                $ty: 'g,
            {
                for (key, value) in this {
                    key.clear_interior_into(graveyard);
                    S::clear_interior_into(value, graveyard);
                }
            }
        }
    };
}

// Emptied by draining: a default hash table wants a hasher.
values!(impl[H] HashMap<K, T, H> as HashMap<K, S>, |this| this.drain().collect::<Vec<_>>());
values!(impl[] BTreeMap<K, T> as BTreeMap<K, S>, |this| mem::take(this));

// SAFETY: 1 to 6: a box owns its contents, and does what they do.
unsafe impl<T: ?Sized, S: PyGcTraverseAs<T>> PyGcTraverseAs<Box<T>> for Box<S> {
    const MAY_CONTAIN_CYCLES: bool = S::MAY_CONTAIN_CYCLES;

    fn traverse(value: &Box<T>, visit: PyVisit<'_>) -> TraverseResult {
        S::traverse(value, visit)
    }

    fn clear_into<'g>(value: &mut Box<T>, graveyard: &mut Graveyard<'g>)
    where
        Box<T>: 'g,
    {
        S::clear_into(value, graveyard);
    }

    fn clear_interior_into<'g>(value: &Box<T>, graveyard: &mut Graveyard<'g>)
    where
        Box<T>: 'g,
    {
        S::clear_interior_into(value, graveyard);
    }
}

/// Locks around a `T`, as those around an `S`.
macro_rules! locked {
    ($lock:ident, $read:ident, $write:ident) => {
        // SAFETY: 1: the lock owns its contents, and they are visited at most once, under one guard. 2: a refusal visits
        // nothing, and nobody waits. 3: passed on. 4: the contents' own promise, while nobody else holds the lock. 5: the
        // contents' own answer. 6: contents are moved out under the guard and dropped after it.
        unsafe impl<T: ?Sized, S: PyGcTraverseAs<T>> PyGcTraverseAs<$lock<T>> for $lock<S> {
            const MAY_CONTAIN_CYCLES: bool = S::MAY_CONTAIN_CYCLES;

            fn traverse(lock: &$lock<T>, visit: PyVisit<'_>) -> TraverseResult {
                match held(lock.$read()) {
                    Some(guard) => S::traverse(&guard, visit),
                    None => Ok(()),
                }
            }

            fn clear_into<'g>(lock: &mut $lock<T>, graveyard: &mut Graveyard<'g>)
            where
                $lock<T>: 'g,
            {
                S::clear_into(lock.get_mut().unwrap_or_else(PoisonError::into_inner), graveyard);
            }

            fn clear_interior_into<'g>(lock: &$lock<T>, graveyard: &mut Graveyard<'g>)
            where
                $lock<T>: 'g,
            {
                if let Some(mut guard) = held(lock.$write()) {
                    S::clear_into(&mut guard, graveyard);
                }
            }
        }
    };
}

locked!(Mutex, try_lock, try_lock);
locked!(RwLock, try_read, try_write);
