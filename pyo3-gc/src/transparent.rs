//! Which types own exactly what their arguments own, or nothing at all, whatever those are.
//!
//! The derive asks such a type with `()` in place of the type that it stands in. Names alone don't tell: a user's own `Cell`
//! may own more, and std's `Cow` owns what `ToOwned` says.

use std::cell::{Cell, OnceCell, RefCell};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};
use std::marker::PhantomData;
use std::ops::ControlFlow;
use std::pin::Pin;
use std::ptr::NonNull;
use std::rc::{self, Rc};
use std::sync::atomic::AtomicPtr;
use std::sync::{self, Arc, Mutex, OnceLock, RwLock};
use std::task::Poll;

use pyo3::sync::PyOnceLock;

use crate::PyGcOpaque;

/// See above. Where a type isn't known to be one, it counts as one that may contain cycles: that costs a look, never a
/// reference.
pub trait Transparent {}

macro_rules! transparent {
    ($(impl[$($generics:tt)*] $ty:ty;)+) => {
        $(impl<$($generics)*> Transparent for $ty {})+
    };
}

transparent! {
    impl[T] Option<T>;
    impl[T, E] Result<T, E>;
    impl[T: ?Sized] Box<T>;
    impl[T] Vec<T>;
    impl[T] VecDeque<T>;
    impl[T] LinkedList<T>;
    impl[T] BinaryHeap<T>;
    impl[K, V] BTreeMap<K, V>;
    impl[T] BTreeSet<T>;
    impl[K, V, S] HashMap<K, V, S>;
    impl[T, S] HashSet<T, S>;
    impl[T] Pin<T>;
    impl[T: ?Sized] Rc<T>;
    impl[T: ?Sized] Arc<T>;
    impl[T: ?Sized] Cell<T>;
    impl[T: ?Sized] RefCell<T>;
    impl[T] OnceCell<T>;
    impl[T] OnceLock<T>;
    impl[T] PyOnceLock<T>;
    impl[T: ?Sized] Mutex<T>;
    impl[T: ?Sized] RwLock<T>;
    impl[T] Reverse<T>;
    impl[T] Poll<T>;
    impl[B, C] ControlFlow<B, C>;
    // These own nothing that they show.
    impl[T: ?Sized] PhantomData<T>;
    impl[T: ?Sized] rc::Weak<T>;
    impl[T: ?Sized] sync::Weak<T>;
    impl[T: ?Sized] NonNull<T>;
    impl[T] AtomicPtr<T>;
    impl[T] PyGcOpaque<T>;
}

#[cfg(feature = "arrayvec")]
transparent! { impl[T, const N: usize] arrayvec::ArrayVec<T, N>; }
#[cfg(feature = "hashbrown")]
transparent! { impl[K, V, S] hashbrown::HashMap<K, V, S>; impl[T, S] hashbrown::HashSet<T, S>; }
#[cfg(feature = "indexmap")]
transparent! { impl[K, V, S] indexmap::IndexMap<K, V, S>; impl[T, S] indexmap::IndexSet<T, S>; }
#[cfg(feature = "lock_api")]
transparent! { impl[R, T: ?Sized] lock_api::Mutex<R, T>; impl[R, T: ?Sized] lock_api::RwLock<R, T>; }
#[cfg(feature = "smallvec")]
impl<T, const N: usize> Transparent for smallvec::SmallVec<[T; N]> where [T; N]: smallvec::Array {}
