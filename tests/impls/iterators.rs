//! Iterators that own what they have yet to yield: what is left is visited and let go of.

use pyo3::prelude::*;
use pyo3_gc::PyGcTraversable;

use crate::support::field::field_tests;
use crate::support::{alone, object, refcount};

type Object = Py<PyAny>;

field_tests!(LetsGo {
    vec: std::vec::IntoIter<Object> = |own| vec![own(), own()].into_iter();
    vec_in_the_middle: std::vec::IntoIter<Object> = |own| {
        let mut rest = vec![own(), own(), own(), own()].into_iter();
        rest.next();
        rest.next_back();
        rest
    };
    array: std::array::IntoIter<Object, 2> = |own| [own(), own()].into_iter();
    array_in_the_middle: std::array::IntoIter<Option<Object>, 4> = |own| {
        let mut rest = [Some(own()), None, Some(own()), Some(own())].into_iter();
        rest.next();
        rest
    };
    boxed: Option<Box<std::vec::IntoIter<Object>>> = |own| Some(Box::new(vec![own()].into_iter()));
});

#[test]
fn what_was_yielded_is_somebody_elses() {
    alone(|py| {
        let object = object(py);
        let mut rest = vec![object.clone().unbind(), object.clone().unbind()].into_iter();
        let before = refcount(&object);
        let yielded = rest.next().unwrap();
        rest.clear();
        assert_eq!(refcount(&object), before - 1);
        assert!(rest.next().is_none());
        assert!(yielded.is(&object));
    });
}

#[test]
fn iterators_over_leaves_go_on() {
    const { assert!(!std::vec::IntoIter::<u8>::MAY_CONTAIN_CYCLES) };
    const { assert!(!std::array::IntoIter::<u8, 3>::MAY_CONTAIN_CYCLES) };
    let mut rest = vec![1, 2, 3].into_iter();
    rest.next();
    rest.clear();
    assert_eq!(rest.as_slice(), [2, 3]);
}
