//! Odd but valid types of fields: the macro neither panics nor rejects them, and says nothing about them.

#![deny(warnings)]
#![allow(dead_code, clippy::type_complexity, reason = "that it compiles is most of the test")]

use std::collections::HashMap;
use std::fmt::Debug;
use std::marker::PhantomData;

use pyo3::prelude::*;
use pyo3_gc::{DynPyGcTraversable, PyGcTraversable};

type Object = Option<Py<PyAny>>;

struct Foreign;

macro_rules! same {
    ($ty:ty) => {
        $ty
    };
}
macro_rules! pair {
    ($($ty:tt)*) => {
        ($($ty)*, u8)
    };
}
const N: usize = 2;
const fn four() -> usize {
    4
}
trait HasItem {
    type Item;
}
impl HasItem for Object {
    type Item = Self;
}

#[derive(PyGcTraversable)]
#[expect(unused_braces, unused_parens, reason = "odd, but valid")]
struct Odd<'a, T: HasItem, const M: usize> {
    block: [T; { M }],
    sum: [u8; 2 + 3],
    path: [u8; N],
    call: [u8; four()],
    block_of_path: [u8; { N }],
    cast: [u8; 'a' as usize],
    one: (T,),
    nested: (((), (T, (u8, Object))), (Object,)),
    parenthesised: (Object),
    twice: ((T)),
    group: same!(Object),
    inside: Vec<same!(Option<T>)>,
    macro_pair: pair!(Vec<T>),
    qualified: <T as HasItem>::Item,
    shorthand: T::Item,
    inner: Vec<<T as HasItem>::Item>,
    foreign_qualified: <Object as HasItem>::Item,
    function: fn(T) -> T,
    external: extern "C" fn(u8, *const T) -> *mut T,
    elided: fn(&T) -> &T,
    elided_unsafe: (unsafe extern "C" fn(&u8, &mut T)),
    unsafe_function: unsafe extern "C" fn(),
    higher_ranked: for<'x> fn(&'x T, &'a str) -> &'x T,
    named_arguments: fn(first: T, second: T),
    #[pyo3(gc = false)]
    variadic: unsafe extern "C" fn(u8, ...),
    #[pyo3(gc = false)]
    nullable: Option<fn(&T) -> &T>,
    #[pyo3(gc = false)]
    system: Option<extern "system" fn()>,
    never: fn() -> !,
    pointer: *const T,
    pointer_to_unsized: *mut [T],
    pointer_to_object: *const (dyn Debug + Send),
    slice: &'a [T],
    object: &'a (dyn Debug + Send + 'a),
    reference_to_reference: &'a &'a T,
    boxed_slice: Box<[T]>,
    boxed_str: Box<str>,
    full_path: ::std::option::Option<::pyo3::Py<::pyo3::PyAny>>,
    relative: self::Object,
    from_the_root: crate::types::Object,
    turbofish: Option<T>,
    function_trait: PhantomData<dyn Fn(T) -> T>,
    trailing: HashMap<String, T>,
}

/// A type that is excluded is asked whether it has to be, beside the impl or, if it names parameters, inside.
#[derive(PyGcTraversable)]
struct Excluded<'a, T, const M: usize>
where
    T: 'a,
{
    #[pyo3(gc = false)]
    closure: Box<dyn Fn(&'a T) -> T + Send + 'a>,
    #[pyo3(gc = false)]
    closure_of_lifetimes: Box<dyn for<'x> Fn(&'a str, &'x str) -> &'x str + 'a>,
    #[pyo3(gc = false)]
    array: [Foreign; M],
    #[pyo3_gc(hidden = "borrowed for a call")]
    bound: (Bound<'a, PyAny>, Foreign),
    #[pyo3_gc(hidden = "borrowed for a call")]
    group: same!((Bound<'a, PyAny>, [Foreign; 2])),
    #[pyo3(gc = false)]
    reflexive: (Foreign, *const Self, Option<Box<Self>>),
    #[pyo3(gc = false)]
    last: (Foreign, [T]),
}

/// The same where everything is asked beside the impl.
#[derive(PyGcTraversable)]
struct ExcludedOutside<'a, 'static_> {
    #[pyo3(gc = false)]
    iterator: Box<dyn Iterator<Item = &'a Foreign> + 'static_>,
    #[pyo3(gc = false)]
    pair: (Foreign, &'a &'static_ str, fn(&'a str) -> &'static str),
    #[pyo3(gc = false)]
    reflexive: (Foreign, Option<Box<Self>>),
}

trait Shape: DynPyGcTraversable {}
pyo3_gc::dyn_traversable!(Shape);

/// Trait objects may end with a `+`.
#[rustfmt::skip]
mod trailing {
    use super::{Foreign, PyGcTraversable, Shape};

    #[derive(PyGcTraversable)]
    struct One(u8, dyn Shape +);

    #[derive(PyGcTraversable)]
    struct Two(u8, dyn Shape + Send +);

    #[derive(PyGcTraversable)]
    struct Inside {
        boxed: Box<dyn Shape +>,
        #[pyo3(gc = false)]
        foreign: (Foreign, Box<dyn Fn(u8) +>),
    }
}

fn needs<T: PyGcTraversable + ?Sized>() -> bool {
    T::MAY_CONTAIN_CYCLES
}

#[test]
fn are_asked() {
    assert!(needs::<Odd<'_, Object, 2>>());
}
