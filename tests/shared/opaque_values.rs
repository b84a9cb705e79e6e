//! `PyGcOpaque` as the value that it wraps: what it derefs, compares, hashes and prints like.

use std::borrow::Borrow;
use std::cmp::Ordering;
use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{Hash, Hasher};

use pyo3_gc::{PyGcOpaque, PyGcTraversable};

/// Nothing is asked of what it wraps.
struct Foreign;
const _: () = {
    assert!(!PyGcOpaque::<Foreign>::MAY_CONTAIN_CYCLES);
    assert!(!PyGcOpaque::<dyn Fn()>::MAY_CONTAIN_CYCLES);
    assert!(!PyGcOpaque::<str>::MAY_CONTAIN_CYCLES);
};

// A constant can be one.
static NAME: PyGcOpaque<&str> = PyGcOpaque::new("name");

fn hash(value: &(impl Hash + ?Sized)) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

#[test]
fn wraps_and_unwraps() {
    let opaque = PyGcOpaque::new(String::from("text"));
    assert_eq!(PyGcOpaque::from(String::from("text")), opaque);
    assert_eq!(opaque.into_inner(), "text");
    assert_eq!(*NAME, "name");
    assert_eq!(PyGcOpaque::<u8>::default().into_inner(), 0);
}

#[test]
fn derefs_to_its_contents() {
    let mut list = PyGcOpaque::new(vec![1, 2]);
    list.push(3);
    assert_eq!(list.len(), 3);
    assert_eq!(list.as_ref(), &[1, 2, 3]);
    list.as_mut().pop();
    assert_eq!(*list, [1, 2]);
    let unsized_list: &PyGcOpaque<[u8]> = &PyGcOpaque::new([1, 2]);
    assert_eq!(unsized_list.len(), 2);
}

#[test]
fn takes_no_room() {
    assert_eq!(size_of::<PyGcOpaque<u64>>(), size_of::<u64>());
    assert_eq!(size_of::<Option<PyGcOpaque<Box<u8>>>>(), size_of::<Box<u8>>());
}

#[test]
fn compares_and_hashes_like_its_contents() {
    let (one, two) = (PyGcOpaque::new(1), PyGcOpaque::new(2));
    assert_eq!(one, PyGcOpaque::new(1));
    assert_ne!(one, two);
    assert!(one < two);
    assert_eq!(one.cmp(&two), Ordering::Less);
    assert_eq!(PyGcOpaque::new(f64::NAN).partial_cmp(&PyGcOpaque::new(0.0)), None);
    assert_eq!(hash(&one), hash(&1));
    assert_eq!(hash(&PyGcOpaque::new(String::from("a"))), hash("a"));
}

#[test]
fn prints_like_its_contents() {
    let opaque = PyGcOpaque::new("text");
    assert_eq!(opaque.to_string(), "text");
    assert_eq!(format!("{opaque:>6}"), "  text");
    assert_eq!(format!("{opaque:?}"), "PyGcOpaque(\"text\")");
}

#[test]
fn maps_are_asked_with_plain_keys() {
    let ages = HashMap::from([(PyGcOpaque::new(String::from("Ann")), 30)]);
    assert_eq!(ages.get(&String::from("Ann")), Some(&30));
    assert_eq!(ages.get(&PyGcOpaque::new(String::from("Ann"))), Some(&30));
    let sorted = BTreeMap::from([(PyGcOpaque::new(2), "two"), (PyGcOpaque::new(1), "one")]);
    assert_eq!(sorted[&1], "one");
    assert!(HashSet::from([PyGcOpaque::new(1)]).contains(&1));
    let opaque = PyGcOpaque::new(7);
    let borrowed: &u8 = opaque.borrow();
    assert_eq!(*borrowed, 7);
}

#[test]
fn clear_leaves_it_alone() {
    let mut list = PyGcOpaque::new(vec![1, 2]);
    PyGcTraversable::clear(&mut list);
    assert_eq!(*list, [1, 2]);
    let mut optional = Some(list);
    PyGcTraversable::clear(&mut optional);
    assert!(optional.is_some());
}

#[test]
fn is_copied_where_its_contents_are() {
    let one = PyGcOpaque::new(1);
    let copy = one;
    assert_eq!(one, copy);
}
