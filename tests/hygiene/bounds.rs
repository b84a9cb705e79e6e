//! Which bounds the impl asks for: those on what is traversed, and no other.

#![deny(warnings)]
#![allow(
    dead_code,
    clippy::type_complexity,
    clippy::unnecessary_wraps,
    reason = "that it compiles is most of the test"
)]

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::marker::PhantomData;
use std::rc::Weak;
use std::sync::Mutex;

use pyo3::prelude::*;
use pyo3_gc::{PyGcOpaque, PyGcTraversable};

type Object = Option<Py<PyAny>>;

/// Does not implement the trait.
struct Foreign;

fn may_contain_cycles<T: PyGcTraversable + ?Sized>() -> bool {
    T::MAY_CONTAIN_CYCLES
}

trait HasItem {
    type Item;
}
/// Does not implement the trait, but its item does.
struct ItemOnly;
impl HasItem for ItemOnly {
    type Item = Object;
}
impl Iterator for ItemOnly {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        None
    }
}

/// What holds no `T` asks nothing of it.
#[derive(PyGcTraversable)]
struct Unbounded<'a, T: ?Sized + 'static> {
    marker: PhantomData<T>,
    marker_inside: PhantomData<(Vec<Foreign>, fn(Box<T>))>,
    borrowed: &'a T,
    borrowed_inside: &'a [Box<T>],
    optional: Option<&'a T>,
    pointer: *const T,
    pointers: Vec<*mut T>,
    function: fn(Box<T>) -> Foreign,
    functions: Vec<fn(Box<T>, Foreign) -> Box<T>>,
    elided: fn(&T) -> &T,
    weak: Weak<T>,
    weak_sync: std::sync::Weak<T>,
    opaque: PyGcOpaque<Box<T>>,
    #[pyo3(gc = false)]
    excluded: Box<dyn Fn(&T) -> Foreign + Send>,
    #[pyo3_gc(with = Anything)]
    with: Option<Box<T>>,
    object: Py<PyAny>,
}

/// Stands in for anything.
struct Anything;

// SAFETY: 1 to 5: nothing is visited. 6: nothing is cleared.
unsafe impl<T: ?Sized> pyo3_gc::PyGcTraverseAs<T> for Anything {
    const MAY_CONTAIN_CYCLES: bool = false;

    fn traverse(_: &T, _: pyo3::PyVisit<'_>) -> Result<(), pyo3::PyTraverseError> {
        Ok(())
    }

    fn clear_into<'g>(_: &mut T, _: &mut pyo3_gc::Graveyard<'g>)
    where
        T: 'g,
    {
    }
}

/// A parameter that nothing mentions, and one that is a lifetime's.
#[derive(PyGcTraversable)]
enum Unused<'a, T, const N: usize> {
    Array([u8; N]),
    Marker(PhantomData<&'a mut T>),
}

/// An associated type is bounded in the place of its parameter.
#[derive(PyGcTraversable)]
struct Items<T: HasItem> {
    shorthand: T::Item,
    qualified: Option<<T as HasItem>::Item>,
    inside: Vec<T::Item>,
    map: HashMap<String, <T as HasItem>::Item>,
    marker: PhantomData<T>,
}

#[derive(PyGcTraversable)]
struct IteratorItems<T>
where
    T: Iterator,
{
    peeked: Option<(u8, T::Item)>,
    #[pyo3(gc = false)]
    rest: (Foreign, T),
}

/// An associated type of what isn't a parameter.
#[derive(PyGcTraversable)]
struct ItemOf<T> {
    item: <ItemOnly as HasItem>::Item,
    vec: <Vec<T> as IntoIterator>::Item,
}

/// `Py<T>` is visited without asking what is behind it.
#[derive(PyGcTraversable)]
struct Pointer<T> {
    pointer: Py<T>,
    pointers: Vec<Option<Py<T>>>,
}

/// Nor what is behind one to the type itself, which has to be `'static` as well.
#[derive(PyGcTraversable)]
struct Peer<T> {
    value: T,
    next: Option<Py<Self>>,
    all: Vec<Py<Peer<T>>>,
}

#[pyclass]
struct NotTraversable {
    value: u8,
}

/// Recursive generic types don't overflow.
#[derive(PyGcTraversable)]
struct Recursive<T, U> {
    value: T,
    next: Option<Box<Self>>,
    children: Vec<Recursive<T, U>>,
    parents: Vec<Weak<Recursive<T, U>>>,
    shared: Box<RefCell<Vec<Recursive<T, U>>>>,
    marker: PhantomData<U>,
}

#[derive(PyGcTraversable)]
enum Tree<K, V> {
    Leaf(V),
    Node { left: Box<Tree<K, V>>, right: Box<Tree<K, V>>, key: K },
}

/// Polymorphic recursion: the argument grows at each step, and so would the constant, if it were asked.
#[derive(PyGcTraversable)]
#[pyo3_gc(bound = "")]
struct Growing<T: 'static> {
    #[pyo3_gc(with = Anything)]
    next: Option<Box<Growing<Option<T>>>>,
    marker: PhantomData<T>,
}

/// Mutual recursion of generic types, with its mark.
#[derive(PyGcTraversable)]
struct Ping<T> {
    value: T,
    #[pyo3_gc(recursive)]
    pong: Option<Box<Pong<T>>>,
}
#[derive(PyGcTraversable)]
struct Pong<T> {
    ping: Vec<Ping<T>>,
}

/// Bounds of the item's own are kept, and a parameter may be bounded by a trait that implies ours.
trait Component: PyGcTraversable {}
impl Component for Object {}

#[derive(PyGcTraversable)]
struct Owner<C: Component, D: ?Sized + PyGcTraversable>(Mutex<C>, Box<D>);

/// `bound` replaces what would be inferred, here something that would be too strong.
#[derive(PyGcTraversable)]
#[pyo3_gc(bound = "")]
struct Replaced<T: HasItem>(Wrapper<T>);

struct Wrapper<T: HasItem>(Cell<Option<T>>, Option<T::Item>);
pyo3_gc::leaf!(impl[T: HasItem] Wrapper<T>);

#[derive(PyGcTraversable)]
#[pyo3_gc(bound = "T: HasItem, <T as HasItem>::Item: PyGcTraversable + 'static")]
struct Several<T: HasItem> {
    item: Option<T::Item>,
}

/// The bound that is asked for twice in one field is one.
#[derive(PyGcTraversable)]
struct Twice<T, U: ?Sized>(T, Vec<T>, (T, Box<U>), Option<(T, Box<U>)>);

#[test]
fn nothing_is_asked_of_what_is_not_held() {
    assert!(may_contain_cycles::<Unbounded<'_, Foreign>>());
    assert!(may_contain_cycles::<Unbounded<'_, str>>());
    assert!(!may_contain_cycles::<Unused<'_, Foreign, 1>>());
    assert!(may_contain_cycles::<Pointer<NotTraversable>>());
    assert!(may_contain_cycles::<Pointer<PyAny>>());
    // What stands in for a type that names the container isn't asked: it might ask the container.
    assert!(may_contain_cycles::<Growing<Foreign>>());
}

#[test]
fn items_are_asked_and_not_what_they_belong_to() {
    assert!(may_contain_cycles::<Items<ItemOnly>>());
    assert!(!may_contain_cycles::<IteratorItems<ItemOnly>>());
    assert!(may_contain_cycles::<ItemOf<u8>>());
}

#[test]
fn parameters_decide() {
    assert!(may_contain_cycles::<Recursive<Object, Foreign>>());
    assert!(!may_contain_cycles::<Recursive<u8, Foreign>>());
    assert!(!may_contain_cycles::<Tree<u8, u8>>());
    assert!(may_contain_cycles::<Tree<u8, Object>>());
    assert!(may_contain_cycles::<Tree<Object, u8>>());
    assert!(may_contain_cycles::<Ping<u8>>());
    assert!(may_contain_cycles::<Owner<Object, str>>());
    assert!(!may_contain_cycles::<Replaced<ItemOnly>>());
    assert!(may_contain_cycles::<Several<ItemOnly>>());
    assert!(!may_contain_cycles::<Twice<u8, str>>());
    assert!(may_contain_cycles::<Twice<u8, [Object]>>());
}
