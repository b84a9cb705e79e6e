//! Trait objects: declared traversable, they are visited and cleared as what they are.

use std::collections::HashMap;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::Mutex;

use pyo3::prelude::*;
use pyo3_gc::{DynPyGcTraversable, PyGcTraversable, dyn_traversable};

use crate::support::field::field_tests;
use crate::support::{self, alone, visits};

type Object = Py<PyAny>;

trait Shape: DynPyGcTraversable {
    fn sides(&self) -> u32;
}
dyn_traversable!(Shape);

#[derive(PyGcTraversable)]
struct Square(Option<Object>);

impl Shape for Square {
    fn sides(&self) -> u32 {
        4
    }
}

#[derive(PyGcTraversable)]
struct Dot;

impl Shape for Dot {
    fn sides(&self) -> u32 {
        0
    }
}

/// With parameters of its own, an associated type, and a bound.
trait Convert<In, Out = In>: DynPyGcTraversable + Send + Sync
where
    In: Clone,
{
    fn convert(&self, input: In) -> Out;
}
dyn_traversable!(impl[In: Clone, Out] Convert<In, Out>);

#[derive(PyGcTraversable)]
struct Twice(Vec<Object>);

impl Convert<u8, u16> for Twice {
    fn convert(&self, input: u8) -> u16 {
        u16::from(input) * 2
    }
}

mod nested {
    pub(super) trait Named: pyo3_gc::DynPyGcTraversable {}
}
dyn_traversable!(nested::Named);

impl nested::Named for Square {}

/// Has the supertrait from another one.
trait Below: Shape {}
dyn_traversable!(Below);

impl Below for Square {}

/// Only what is behind its lock can be let go of through a shared reference.
#[derive(PyGcTraversable)]
struct Locked(Mutex<Vec<Object>>);

impl Shape for Locked {
    fn sides(&self) -> u32 {
        1
    }
}

field_tests!(LetsGo {
    boxed: Box<dyn Shape> = |own| Box::new(Square(Some(own())));
    boxed_send: Box<dyn Shape + Send> = |own| Box::new(Square(Some(own())));
    boxed_send_sync: Box<dyn Shape + Send + Sync> = |own| Box::new(Square(Some(own())));
    boxed_sync: Box<dyn Shape + Sync> = |own| Box::new(Square(Some(own())));
    boxed_unpin: Box<dyn Unpin + Shape> = |own| Box::new(Square(Some(own())));
    boxed_unwind_safe: Box<dyn Shape + UnwindSafe + Send> = |own| Box::new(Locked(Mutex::new(vec![own(), own()])));
    boxed_everything: Box<dyn Send + Sync + Shape + RefUnwindSafe + Unpin + UnwindSafe> =
        |own| Box::new(Locked(Mutex::new(vec![own()])));
    boxed_generic: Box<dyn Convert<u8, u16>> = |own| Box::new(Twice(vec![own(), own()]));
    boxed_generic_send: Box<dyn Convert<u8, u16> + Send + Unpin> = |own| Box::new(Twice(vec![own()]));
    boxed_below: Box<dyn Below + Send> = |own| Box::new(Square(Some(own())));
    boxed_by_path: Box<dyn nested::Named> = |own| Box::new(Square(Some(own())));
    optional: Option<Box<dyn Shape>> = |own| Some(Box::new(Square(Some(own()))));
    several: Vec<Box<dyn Shape>> = |own| vec![
        Box::new(Dot),
        Box::new(Square(Some(own()))),
        Box::new(Locked(Mutex::new(vec![own(), own()]))),
        Box::new(Square(None)),
    ];
    by_name: HashMap<String, Box<dyn Shape + Send + Sync>> =
        |own| HashMap::from([(String::from("a"), Box::new(Square(Some(own()))) as _)]);
    behind_a_lock: Box<Mutex<dyn Shape>> = |own| Box::new(Mutex::new(Square(Some(own()))));
});

/// With any auto traits.
#[test]
fn auto_traits_make_no_difference() {
    macro_rules! each {
        ([$($chosen:tt)*] $auto:ident $($more:ident)*) => {
            each!([$($chosen)*] $($more)*);
            each!([$($chosen)* + $auto] $($more)*);
        };
        ([$($chosen:tt)*]) => {
            const { assert!(<dyn Shape $($chosen)*>::MAY_CONTAIN_CYCLES) };
        };
    }
    each!([] UnwindSafe RefUnwindSafe Unpin Sync Send);
}

#[test]
fn cleared_objects_are_still_what_they_are() {
    alone(|py| {
        let mut square: Box<dyn Shape> = Box::new(Square(Some(py.None())));
        square.clear();
        assert_eq!(square.sides(), 4);

        let mut twice: Box<dyn Convert<u8, u16>> = Box::new(Twice(vec![py.None()]));
        twice.clear();
        assert_eq!(twice.convert(4), 8);
    });
}

#[test]
fn clear_interior_reaches_the_object() {
    alone(|py| {
        let locked = Box::new(Locked(Mutex::new(vec![py.None()])));
        let shape: &dyn Shape = &*locked;
        shape.clear_interior();
        assert!(locked.0.lock().unwrap().is_empty());

        let square = Square(Some(py.None()));
        let shape: &dyn Shape = &square;
        shape.clear_interior();
        assert!(square.0.is_some(), "not through a shared reference");
    });
}

/// A trait object with a lifetime, which a class can't hold but a value on the way can.
#[test]
fn a_trait_object_may_borrow() {
    #[derive(PyGcTraversable)]
    struct Lent<'a>(&'a Object, Option<Object>);

    impl Shape for Lent<'_> {
        fn sides(&self) -> u32 {
            2
        }
    }

    alone(|py| {
        let lent = py.None();
        let mut shape: Box<dyn Shape + '_> = Box::new(Lent(&lent, Some(py.None())));
        shape.clear();
        assert_eq!(shape.sides(), 2);
    });
}

#[pyclass]
#[derive(PyGcTraversable)]
struct Subject {
    shapes: Vec<Box<dyn Shape + Send + Sync>>,
}
support::hooks!(Subject);

#[test]
fn what_is_pushed_later_is_visited_too() {
    alone(|py| {
        let target = support::object(py);
        let subject = Bound::new(py, Subject { shapes: Vec::new() }).unwrap();
        assert_eq!(visits(subject.as_any(), &target), 0);
        subject.borrow_mut().shapes.push(Box::new(Square(Some(target.clone().unbind()))));
        subject.borrow_mut().shapes.push(Box::new(Square(Some(target.clone().unbind()))));
        assert_eq!(visits(subject.as_any(), &target), 2);
        subject.borrow_mut().shapes.pop();
        assert_eq!(visits(subject.as_any(), &target), 1);
    });
}
