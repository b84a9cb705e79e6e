//! Stand-ins made of stand-ins: `Vec<S>` stands in for `Vec<T>` if `S` stands in for `T`.
//!
//! What is done to a container is what its own impl of `PyGcTraversable` does.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::mem;
use std::rc::Rc;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};

use pyo3::PyVisit;

use super::held;
use crate::hidden::HiddenFields;
use crate::traversable::{TraverseResult, again};
use crate::{Graveyard, PyGcSame, PyGcTraversable, PyGcTraverseAs};

/// `$stand_in` for `$ty`: which stand-ins do what to the parts, and how parts are reached.
macro_rules! stand_in {
    (
        impl[$($generics:tt)*] $stand_in:ty as $ty:ty { $($part:ident as $of:ty),+ }
        traverse |$t:ident, $visit:ident| $traverse:expr;
        clear |$c:ident, $c_into:ident| $clear:expr;
        interior |$i:ident, $i_into:ident| $interior:expr;
    ) => {
        // SAFETY: 1 and 4: each part that the value owns alone is reached once, and visited by a stand-in that keeps the
        // contract. 2: reads, and tries locks. 3: `?`. 5: the OR over the parts. 6: parts are moved out, or cleared in
        // place by their stand-ins.
        unsafe impl<$($generics)*> PyGcTraverseAs<$ty> for $stand_in {
            const MAY_CONTAIN_CYCLES: bool = false $(|| <$part as PyGcTraverseAs<$of>>::MAY_CONTAIN_CYCLES)+;
            const IS_CONDITIONAL: bool = false $(|| <$part as PyGcTraverseAs<$of>>::IS_CONDITIONAL)+;

            fn list_hidden(list: &mut HiddenFields) {
                $(<$part as PyGcTraverseAs<$of>>::list_hidden(list);)+
            }

            fn traverse($t: &$ty, $visit: PyVisit<'_>) -> TraverseResult {
                if <Self as PyGcTraverseAs<$ty>>::MAY_CONTAIN_CYCLES {
                    $traverse
                }
                Ok(())
            }

            fn clear_into<'g>($c: &mut $ty, $c_into: &mut Graveyard<'g>)
            where
                $ty: 'g,
            {
                if <Self as PyGcTraverseAs<$ty>>::MAY_CONTAIN_CYCLES {
                    $clear
                }
            }

            fn clear_interior_into<'g>($i: &$ty, $i_into: &mut Graveyard<'g>)
            where
                $ty: 'g,
            {
                if <Self as PyGcTraverseAs<$ty>>::MAY_CONTAIN_CYCLES {
                    $interior
                }
            }
        }
    };
}

stand_in! {
    impl[T, S: PyGcTraverseAs<T>] Option<S> as Option<T> { S as T }
    traverse |option, visit| if let Some(value) = option { S::traverse(value, visit)?; };
    clear |option, graveyard| if let Some(value) = option.take() { graveyard.bury_as::<S, _>(value) };
    interior |option, graveyard| if let Some(value) = option { S::clear_interior_into(value, graveyard) };
}

stand_in! {
    impl[T, E, S: PyGcTraverseAs<T>, Z: PyGcTraverseAs<E>] Result<S, Z> as Result<T, E> { S as T, Z as E }
    traverse |result, visit| match result {
        Ok(value) => S::traverse(value, visit)?,
        Err(error) => Z::traverse(error, visit)?,
    };
    clear |result, graveyard| match result {
        Ok(value) => S::clear_into(value, graveyard),
        Err(error) => Z::clear_into(error, graveyard),
    };
    interior |result, graveyard| match result {
        Ok(value) => S::clear_interior_into(value, graveyard),
        Err(error) => Z::clear_interior_into(error, graveyard),
    };
}

stand_in! {
    impl[T: ?Sized, S: PyGcTraverseAs<T> + ?Sized] Box<S> as Box<T> { S as T }
    traverse |value, visit| S::traverse(value, visit)?;
    clear |value, graveyard| S::clear_into(value, graveyard);
    interior |value, graveyard| S::clear_interior_into(value, graveyard);
}

stand_in! {
    impl[T, S: PyGcTraverseAs<T>] [S] as [T] { S as T }
    traverse |items, visit| for item in items { S::traverse(item, again(&visit))?; };
    clear |items, graveyard| for item in items { S::clear_into(item, graveyard) };
    interior |items, graveyard| for item in items { S::clear_interior_into(item, graveyard) };
}

stand_in! {
    impl[T, S: PyGcTraverseAs<T>, const N: usize] [S; N] as [T; N] { S as T }
    traverse |items, visit| for item in items { S::traverse(item, again(&visit))?; };
    clear |items, graveyard| for item in items { S::clear_into(item, graveyard) };
    interior |items, graveyard| for item in items { S::clear_interior_into(item, graveyard) };
}

macro_rules! sequences {
    ($($sequence:ident)+) => {
        $(stand_in! {
            impl[T, S: PyGcTraverseAs<T>] $sequence<S> as $sequence<T> { S as T }
            traverse |items, visit| for item in items { S::traverse(item, again(&visit))?; };
            clear |items, graveyard| graveyard.bury_as::<Self, _>(mem::take(items));
            interior |items, graveyard| for item in items { S::clear_interior_into(item, graveyard) };
        })+
    };
}

sequences!(Vec VecDeque);

/// Maps with values of `T`, as those of `S`; keys answer for themselves.
macro_rules! values {
    (impl[$($hasher:ident)?] $stand_in:ty as $map:ty, |$this:ident| $take:expr) => {
        stand_in! {
            impl[K: PyGcTraversable, T, S: PyGcTraverseAs<T>, $($hasher)?] $stand_in as $map { PyGcSame as K, S as T }
            traverse |map, visit| for (key, value) in map {
                key.traverse(again(&visit))?;
                S::traverse(value, again(&visit))?;
            };
            clear |$this, graveyard| graveyard.bury_as::<Vec<(PyGcSame, S)>, _>($take.collect::<Vec<_>>());
            interior |map, graveyard| for (key, value) in map {
                key.clear_interior_into(graveyard);
                S::clear_interior_into(value, graveyard);
            };
        }
    };
}

// Emptied by draining: a default hash table wants a hasher.
values!(impl[H] HashMap<K, S> as HashMap<K, T, H>, |map| map.drain());
values!(impl[] BTreeMap<K, S> as BTreeMap<K, T>, |map| mem::take(map).into_iter());

macro_rules! tuples {
    ($($part:ident $of:ident $value:ident),+) => {
        stand_in! {
            impl[$($of, $part: PyGcTraverseAs<$of>),+] ($($part,)+) as ($($of,)+) { $($part as $of),+ }
            traverse |tuple, visit| {
                let ($($value,)+) = tuple;
                $($part::traverse($value, again(&visit))?;)+
            };
            clear |tuple, graveyard| {
                let ($($value,)+) = tuple;
                $($part::clear_into($value, graveyard);)+
            };
            interior |tuple, graveyard| {
                let ($($value,)+) = tuple;
                $($part::clear_interior_into($value, graveyard);)+
            };
        }
    };
}

tuples!(S1 A a);
tuples!(S1 A a, S2 B b);
tuples!(S1 A a, S2 B b, S3 C c);
tuples!(S1 A a, S2 B b, S3 C c, S4 D d);
tuples!(S1 A a, S2 B b, S3 C c, S4 D d, S5 E e);
tuples!(S1 A a, S2 B b, S3 C c, S4 D d, S5 E e, S6 F f);

/// Whoever holds the value in a way that excludes us makes the guard `None`.
macro_rules! guarded {
    ($lock:ident, read |$r:ident| $read:expr, write |$w:ident| $write:expr, get_mut |$m:ident| $get_mut:expr) => {
        stand_in! {
            impl[T: ?Sized, S: PyGcTraverseAs<T> + ?Sized] $lock<S> as $lock<T> { S as T }
            traverse |$r, visit| if let Some(guard) = $read { S::traverse(&guard, visit)?; };
            clear |$m, graveyard| S::clear_into($get_mut, graveyard);
            interior |$w, graveyard| if let Some(mut guard) = $write { S::clear_into(&mut guard, graveyard); };
        }
    };
}

guarded!(
    RefCell,
    read | cell | cell.try_borrow().ok(),
    write | cell | cell.try_borrow_mut().ok(),
    get_mut | cell | cell.get_mut()
);
guarded!(
    Mutex,
    read | lock | held(lock.try_lock()),
    write | lock | held(lock.try_lock()),
    get_mut | lock | lock.get_mut().unwrap_or_else(PoisonError::into_inner)
);
guarded!(
    RwLock,
    read | lock | held(lock.try_read()),
    write | lock | held(lock.try_write()),
    get_mut | lock | lock.get_mut().unwrap_or_else(PoisonError::into_inner)
);

macro_rules! once {
    ($($cell:ident)+) => {
        $(stand_in! {
            impl[T, S: PyGcTraverseAs<T>] $cell<S> as $cell<T> { S as T }
            traverse |cell, visit| if let Some(value) = cell.get() { S::traverse(value, visit)?; };
            clear |cell, graveyard| if let Some(value) = cell.take() { graveyard.bury_as::<S, _>(value); };
            interior |cell, graveyard| if let Some(value) = cell.get() { S::clear_interior_into(value, graveyard); };
        })+
    };
}

once!(OnceCell OnceLock);

/// Visited and cleared while it is the only strong pointer to its contents.
macro_rules! shared {
    ($($pointer:ident)+) => {
        $(stand_in! {
            impl[T: ?Sized, S: PyGcTraverseAs<T> + ?Sized] $pointer<S> as $pointer<T> { S as T }
            traverse |pointer, visit| if $pointer::strong_count(pointer) == 1 { S::traverse(pointer, visit)?; };
            clear |pointer, graveyard| match $pointer::get_mut(pointer) {
                Some(contents) => S::clear_into(contents, graveyard),
                None => Self::clear_interior_into(pointer, graveyard),
            };
            interior |pointer, graveyard| if $pointer::strong_count(pointer) == 1 {
                S::clear_interior_into(pointer, graveyard);
            };
        })+
    };
}

shared!(Rc Arc);
