//! The derive on items of every shape: each field is visited and cleared like the value that it is.

use std::collections::HashMap;
use std::fmt::Debug;
use std::marker::PhantomData;
use std::sync::Mutex;

use pyo3::prelude::*;
use pyo3::{PyTraverseError, PyVisit};
use pyo3_gc::{Graveyard, PyGcTraversable, PyGcTraverseAs};

use crate::support::field::field_tests;

type Object = Py<PyAny>;

#[derive(PyGcTraversable)]
struct Named {
    one: Object,
    name: String,
    more: Vec<Object>,
    r#type: Option<Object>,
    __pyo3_gc_visit: u8,
}

#[derive(PyGcTraversable)]
struct Tuple(Object, u8, Option<Object>);

#[derive(PyGcTraversable)]
struct Unit;

#[derive(PyGcTraversable)]
struct Braces {}

#[derive(PyGcTraversable)]
#[repr(transparent)]
struct Newtype(Object);

#[derive(PyGcTraversable)]
enum Shape {
    Dot,
    Nothing {},
    Circle(Object),
    Pair(Option<Object>, u8, Object),
    Square { corner: Object, name: &'static str, r#in: Vec<Object> },
    Deep(Box<(Object, Named)>),
}

#[derive(PyGcTraversable, Clone, Copy)]
#[repr(u8)]
enum Flag {
    Off = 3,
    On = 7,
}

/// Has no values; only its methods must compile.
#[derive(PyGcTraversable)]
enum Never {}

#[derive(PyGcTraversable)]
struct Generic<'a, T: Debug, K = u8, const N: usize = 2>
where
    K: Eq,
{
    items: [T; N],
    by_key: HashMap<K, Option<T>>,
    borrowed: &'a [T],
    marker: PhantomData<fn(T) -> K>,
}

/// `T` is nowhere but in types that own none of it: no bound.
#[derive(PyGcTraversable)]
struct Unbounded<T: ?Sized> {
    marker: PhantomData<T>,
    pointer: *const T,
    weak: std::sync::Weak<T>,
    object: Object,
}

/// The bound stands on what the field's type names.
#[derive(PyGcTraversable)]
struct Associated<I: Iterator> {
    next: Option<I::Item>,
    last: Option<<I as Iterator>::Item>,
}

#[derive(PyGcTraversable)]
struct Typed<T> {
    object: Option<Py<T>>,
}

/// Its last field may be a slice or a trait object.
#[derive(PyGcTraversable)]
struct Tail<T: ?Sized> {
    head: Object,
    tail: T,
}

/// Doesn't implement the trait.
struct Foreign<T>(T);

#[derive(PyGcTraversable)]
#[pyo3_gc(bound = "T: PyGcTraversable + Clone")]
struct ExplicitBound<T> {
    traversed: T,
    #[pyo3_gc(with = StandIn)]
    foreign: Foreign<T>,
}

#[derive(PyGcTraversable)]
struct WithStandIn {
    #[pyo3_gc(with = StandIn)]
    foreign: Foreign<Option<Object>>,
    #[pyo3_gc(with = self::StandIn)]
    again: Foreign<Option<Object>>,
}

struct StandIn;

// SAFETY: 1 to 6: it owns what is in it, and does what that does.
unsafe impl<T: PyGcTraversable> PyGcTraverseAs<Foreign<T>> for StandIn {
    const MAY_CONTAIN_CYCLES: bool = T::MAY_CONTAIN_CYCLES;

    fn traverse(foreign: &Foreign<T>, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        foreign.0.traverse(visit)
    }

    fn clear_into<'g>(foreign: &mut Foreign<T>, graveyard: &mut Graveyard<'g>)
    where
        Foreign<T>: 'g,
    {
        foreign.0.clear_into(graveyard);
    }

    fn clear_interior_into<'g>(foreign: &Foreign<T>, graveyard: &mut Graveyard<'g>)
    where
        Foreign<T>: 'g,
    {
        foreign.0.clear_interior_into(graveyard);
    }
}

/// Bounds follow from the stand-in.
#[derive(PyGcTraversable)]
struct InferredBound<T> {
    #[pyo3_gc(with = StandIn)]
    foreign: Foreign<T>,
}

/// Containers of a foreign type.
#[derive(PyGcTraversable)]
#[allow(clippy::vec_box, reason = "both are under test")]
struct WithContainers {
    #[pyo3_gc(with = Option<StandIn>)]
    optional: Option<Foreign<Object>>,
    #[pyo3_gc(with = Vec<Box<StandIn>>)]
    list: Vec<Box<Foreign<Object>>>,
    #[pyo3_gc(with = std::collections::VecDeque<StandIn>)]
    queue: std::collections::VecDeque<Foreign<Object>>,
    #[pyo3_gc(with = HashMap<u8, StandIn>)]
    map: HashMap<u8, Foreign<Object>>,
    #[pyo3_gc(with = std::collections::BTreeMap<u8, StandIn>)]
    tree: std::collections::BTreeMap<u8, Foreign<Object>>,
    #[pyo3_gc(with = Mutex<Option<StandIn>>)]
    locked: Mutex<Option<Foreign<Object>>>,
    #[pyo3_gc(with = std::sync::RwLock<Vec<StandIn>>)]
    shared: std::sync::RwLock<Vec<Foreign<Object>>>,
}

#[derive(PyGcTraversable)]
struct VisitedNotCleared {
    #[pyo3_gc(clear = false)]
    kept: Vec<Object>,
    #[pyo3_gc(clear = false)]
    locked: Mutex<Option<Object>>,
    #[pyo3_gc(clear = true)]
    #[pyo3(gc = true)]
    none: Option<Object>,
}

type Numbers = std::vec::IntoIter<Object>;

field_tests!(LetsGo {
    named: Named = |own| Named {
        one: own(),
        name: String::from("name"),
        more: vec![own(), own()],
        r#type: Some(own()),
        __pyo3_gc_visit: 1,
    };
    tuple: Tuple = |own| Tuple(own(), 1, Some(own()));
    newtype: Newtype = |own| Newtype(own());
    with_units: (Unit, Braces, [Flag; 2], Option<Never>, Object) = |own| (Unit, Braces {}, [Flag::Off, Flag::On], None, own());

    variant_of_one: Shape = |own| Shape::Circle(own());
    variant_of_several: Shape = |own| Shape::Pair(Some(own()), 1, own());
    variant_with_names: Shape = |own| Shape::Square { corner: own(), name: "a", r#in: vec![own(), own()] };
    variant_deep: Shape = |own| Shape::Deep(Box::new((own(), Named {
        one: own(),
        name: String::new(),
        more: vec![own()],
        r#type: None,
        __pyo3_gc_visit: 1,
    })));
    variants: Vec<Shape> = |own| vec![Shape::Dot, Shape::Circle(own()), Shape::Nothing {}, Shape::Circle(own())];

    generic: Generic<'static, Object, String, 3> = |own| Generic {
        items: [own(), own(), own()],
        by_key: HashMap::from([(String::from("a"), Some(own())), (String::from("b"), None)]),
        borrowed: &[],
        marker: PhantomData,
    };
    generic_by_default: Generic<'static, Object> = |own| Generic {
        items: [own(), own()],
        by_key: HashMap::new(),
        borrowed: &[],
        marker: PhantomData,
    };
    unbounded: Unbounded<Foreign<u8>> = |own| Unbounded {
        marker: PhantomData,
        pointer: std::ptr::null(),
        weak: std::sync::Weak::new(),
        object: own(),
    };
    associated: Associated<Numbers> = |own| Associated { next: Some(own()), last: Some(own()) };
    typed: Typed<PyAny> = |own| Typed { object: Some(own()) };
    unsized_slice: Box<Tail<[Object]>> = |own| Box::new(Tail { head: own(), tail: [own(), own()] });
    sized_tail: Tail<Option<Object>> = |own| Tail { head: own(), tail: Some(own()) };
});

field_tests!(LetsGoAtOnce {
    inferred_bound: InferredBound<Option<Object>> = |own| InferredBound { foreign: Foreign(Some(own())) };
    with_containers: WithContainers = |own| WithContainers {
        optional: Some(Foreign(own())),
        list: vec![Box::new(Foreign(own())), Box::new(Foreign(own()))],
        queue: [Foreign(own())].into(),
        map: [(1, Foreign(own()))].into(),
        tree: [(1, Foreign(own()))].into(),
        locked: Mutex::new(Some(Foreign(own()))),
        shared: std::sync::RwLock::new(vec![Foreign(own())]),
    };
    with_stand_in: WithStandIn = |own| WithStandIn { foreign: Foreign(Some(own())), again: Foreign(Some(own())) };
    explicit_bound: ExplicitBound<CloneOf> =
        |own| ExplicitBound { traversed: CloneOf(Some(own())), foreign: Foreign(CloneOf(Some(own()))) };
});

field_tests!(Keeps {
    visited_not_cleared: VisitedNotCleared = |own| VisitedNotCleared {
        kept: vec![own(), own()],
        locked: Mutex::new(Some(own())),
        none: None,
    };
});

/// `Py` itself isn't `Clone`.
#[derive(PyGcTraversable)]
struct CloneOf(Option<Object>);

impl Clone for CloneOf {
    fn clone(&self) -> Self {
        Python::attach(|py| Self(self.0.as_ref().map(|object| object.clone_ref(py))))
    }
}

/// What owns no reference by its type is a leaf, checked when this file is compiled.
const _: () = {
    assert!(!Unit::MAY_CONTAIN_CYCLES);
    assert!(!Braces::MAY_CONTAIN_CYCLES);
    assert!(!Flag::MAY_CONTAIN_CYCLES);
    assert!(!Never::MAY_CONTAIN_CYCLES);
    assert!(!Generic::<'static, u8>::MAY_CONTAIN_CYCLES);
    assert!(!Associated::<std::vec::IntoIter<u8>>::MAY_CONTAIN_CYCLES);
    assert!(Shape::MAY_CONTAIN_CYCLES);
};
