//! Types that name themselves inside of other types: `MAY_CONTAIN_CYCLES` is never false for one that can own a reference,
//! whatever the names stand for, and each container knows of which of its arguments it is made.

#![allow(dead_code, reason = "the constants are the test")]

use std::borrow::Cow;
use std::cell::{self, OnceCell, RefCell};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};
use std::marker::PhantomData;
use std::num::{Saturating, Wrapping};
use std::ops::{ControlFlow, Range, RangeFrom, RangeInclusive, RangeTo, RangeToInclusive};
use std::pin::Pin;
use std::ptr::NonNull;
use std::rc::Rc;
use std::sync::atomic::AtomicPtr;
use std::sync::{Arc, Mutex, OnceLock, RwLock};
use std::task::Poll;

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3_gc::{PyGcOpaque, PyGcTraversable};

use crate::support::field::field_tests;

type Object = Py<PyAny>;

/// `Itself` is the struct that has the field.
macro_rules! fields {
    ($answer:literal: $($ty:ty;)+) => {$(
        const _: () = {
            #[derive(PyGcTraversable)]
            struct Itself {
                field: Option<Box<$ty>>,
                value: u8,
            }
            assert!(Itself::MAY_CONTAIN_CYCLES == $answer);
        };
    )+};
}

// Nothing but itself.
fields! { false:
    Itself;
    Option<Itself>;
    (Itself,);
    (u8, (Itself, String));
    [Itself; 3];
    [Itself];
    Box<[Itself]>;
    Box<Itself>;
    Rc<Itself>;
    Arc<Itself>;
    Pin<Box<Itself>>;
    Pin<Rc<Itself>>;
    Pin<Arc<Itself>>;
    Vec<Itself>;
    VecDeque<Itself>;
    LinkedList<Itself>;
    BinaryHeap<Itself>;
    BTreeSet<Itself>;
    HashSet<Itself>;
    std::vec::IntoIter<Itself>;
    std::array::IntoIter<Itself, 3>;
    BTreeMap<String, Itself>;
    BTreeMap<Itself, String>;
    HashMap<String, Itself>;
    HashMap<Itself, String>;
    HashMap<Itself, Itself>;
    HashMap<u8, Itself, std::hash::BuildHasherDefault<std::collections::hash_map::DefaultHasher>>;
    Result<Itself, String>;
    Result<String, Itself>;
    Result<Itself, Itself>;
    ControlFlow<Itself>;
    ControlFlow<u8, Itself>;
    Poll<Itself>;
    std::ops::Bound<Itself>;
    Reverse<Itself>;
    std::panic::AssertUnwindSafe<Itself>;
    Wrapping<Itself>;
    Saturating<Itself>;
    Range<Itself>;
    RangeFrom<Itself>;
    RangeInclusive<Itself>;
    RangeTo<Itself>;
    RangeToInclusive<Itself>;
    cell::Cell<Itself>;
    RefCell<Itself>;
    OnceCell<Itself>;
    OnceLock<Itself>;
    PyOnceLock<Itself>;
    Mutex<Itself>;
    RwLock<Itself>;
    Option<HashMap<String, Vec<(Box<Itself>, u8)>>>;
}

// What owns nothing, whatever it names.
fields! { false:
    PhantomData<(Itself, Object)>;
    std::rc::Weak<(Itself, Object)>;
    std::sync::Weak<(Itself, Object)>;
    NonNull<(Itself, Object)>;
    AtomicPtr<(Itself, Object)>;
    PyGcOpaque<(Itself, Object)>;
    &'static (Itself, Object);
    *const (Itself, Object);
    fn(Itself) -> Object;
    Vec<Option<&'static Itself>>;
}

// References beside its name.
fields! { true:
    Option<(Itself, Object)>;
    (Itself, Object);
    [(Itself, Object); 3];
    Box<[(Itself, Object)]>;
    Rc<(Itself, Object)>;
    Arc<(Itself, Object)>;
    Pin<Box<(Itself, Object)>>;
    Vec<(Itself, Object)>;
    VecDeque<(Itself, Object)>;
    BTreeSet<(Itself, Object)>;
    HashSet<(Itself, Object)>;
    BTreeMap<Object, Itself>;
    BTreeMap<Itself, Object>;
    HashMap<Itself, (Itself, Object)>;
    Result<Itself, Object>;
    Result<Object, Itself>;
    ControlFlow<Object, Itself>;
    Poll<(Itself, Object)>;
    Range<(Itself, Object)>;
    cell::Cell<(Itself, Object)>;
    RefCell<(Itself, Object)>;
    OnceLock<(Itself, Object)>;
    Mutex<Vec<(Itself, Object)>>;
    Py<PyAny>;
    (Py<PyAny>, Itself);
}

/// The same in generic types, where the parameter decides.
macro_rules! generic {
    ($($ty:ty;)+) => {$(
        const _: () = {
            #[derive(PyGcTraversable)]
            struct Itself<T> {
                field: Option<Box<$ty>>,
                value: T,
            }
            assert!(!Itself::<u8>::MAY_CONTAIN_CYCLES);
            assert!(Itself::<Object>::MAY_CONTAIN_CYCLES);
        };
    )+};
}

generic! {
    Itself<T>;
    Vec<Itself<T>>;
    Rc<RefCell<Itself<T>>>;
    HashMap<String, (T, Itself<T>)>;
    Result<Vec<Itself<T>>, T>;
    [Itself<T>; 2];
    Pin<Box<Itself<T>>>;
    std::sync::Weak<Itself<T>>;
}

/// A `Cow` owns what `ToOwned` says.
#[derive(PyGcTraversable)]
struct Doc {
    parent: Option<Cow<'static, Doc>>,
}

#[derive(PyGcTraversable)]
struct OwnedDoc {
    object: Option<Object>,
    doc: Box<Doc>,
}

impl std::borrow::Borrow<Doc> for OwnedDoc {
    fn borrow(&self) -> &Doc {
        &self.doc
    }
}

impl ToOwned for Doc {
    type Owned = OwnedDoc;

    fn to_owned(&self) -> OwnedDoc {
        OwnedDoc { object: None, doc: Box::new(Self { parent: None }) }
    }
}

/// The type itself, where it is cloned.
#[derive(Clone, PyGcTraversable)]
struct Cloned {
    parent: Option<Box<Cow<'static, Cloned>>>,
    others: Cow<'static, [Cloned]>,
}

trait Data {
    type D;
}

/// Itself a container of leaves, lest `()` in place of a type tells anything of it.
impl Data for () {
    type D = Vec<u8>;
}

/// Has a name of std's, and owns what its argument says.
#[derive(PyGcTraversable)]
struct Cell<T: Data> {
    d: T::D,
}

#[derive(PyGcTraversable)]
struct InCell {
    cell: Option<Cell<InCell>>,
}

impl Data for InCell {
    type D = Vec<Object>;
}

/// An alias with a name of std's, which is what its argument says.
mod alias {
    use super::{Data, InCell, Object, PyGcTraversable};

    type Vec<T> = <T as Data>::D;
    type Option<T> = std::option::Option<(T, Object)>;
    type HashMap<K, V> = std::collections::HashMap<V, (K, Object)>;

    #[derive(PyGcTraversable)]
    pub(super) struct InVec {
        pub(super) field: Vec<InVec>,
    }

    impl Data for InVec {
        type D = std::vec::Vec<Object>;
    }

    #[derive(PyGcTraversable)]
    pub(super) struct InOption {
        field: Option<Box<InOption>>,
    }

    #[derive(PyGcTraversable)]
    pub(super) struct InMap {
        key: HashMap<InMap, u8>,
        value: HashMap<u8, InMap>,
    }

    #[derive(PyGcTraversable)]
    pub(super) struct Beside {
        field: std::option::Option<Box<(Beside, Vec<InCell>)>>,
    }
}

/// Names of std's, made of something else.
mod mine {
    use super::{Object, PyGcTraversable};

    macro_rules! containers {
        ($($name:ident)+) => {
            $(#[derive(PyGcTraversable)]
            pub(super) struct $name<T>(std::option::Option<Object>, std::option::Option<std::boxed::Box<T>>);)+
        };
    }

    containers!(Option Box Rc Weak Vec HashSet RefCell Mutex PhantomData NonNull Cow Pin);
}

macro_rules! named_like_stds {
    ($($name:ident)+) => {
        $(const _: () = {
            #[derive(PyGcTraversable)]
            #[pyo3_gc(bound = "")]
            struct Itself {
                field: mine::$name<Itself>,
            }
            assert!(Itself::MAY_CONTAIN_CYCLES);
        };)+
    };
}

named_like_stds!(Option Box Rc Weak Vec HashSet RefCell Mutex PhantomData NonNull Cow Pin);

const _: () = {
    assert!(Doc::MAY_CONTAIN_CYCLES);
    assert!(!Cloned::MAY_CONTAIN_CYCLES);
    assert!(InCell::MAY_CONTAIN_CYCLES);
    assert!(alias::InVec::MAY_CONTAIN_CYCLES);
    assert!(alias::InOption::MAY_CONTAIN_CYCLES);
    assert!(alias::InMap::MAY_CONTAIN_CYCLES);
    assert!(alias::Beside::MAY_CONTAIN_CYCLES);
};

field_tests!(LetsGo {
    in_a_cow: Doc = |own| Doc {
        parent: Some(Cow::Owned(OwnedDoc { object: Some(own()), doc: Box::new(Doc { parent: None }) })),
    };
    in_a_cell_of_ones_own: InCell = |own| InCell { cell: Some(Cell { d: vec![own(), own()] }) };
    behind_an_alias: alias::InVec = |own| alias::InVec { field: vec![own()] };
});

/// What is inline has no room for anything; what is on the heap does.
#[cfg(feature = "all")]
#[test]
fn a_vector_without_inline_room_owns_what_it_holds() {
    #[derive(PyGcTraversable)]
    struct Pairs {
        #[allow(dead_code, reason = "asked, not used")]
        pairs: smallvec::SmallVec<[(Box<Pairs>, Py<PyAny>); 0]>,
    }
    const { assert!(<Pairs as PyGcTraversable>::MAY_CONTAIN_CYCLES) };
}
