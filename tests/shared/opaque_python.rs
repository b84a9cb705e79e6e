//! `PyGcOpaque` in a class: hidden from the collector, and from nobody else.

use std::collections::{HashMap, HashSet};

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyWeakrefMethods;
use pyo3_gc::{PyGcOpaque, PyGcTraversable};

use crate::support::{
    self, DropCounter, DropProbe, alone, collect, is_alive, object, refcount, visits, weak,
};

type Object = Py<PyAny>;

#[pyclass]
#[derive(PyGcTraversable)]
struct Holder {
    #[pyo3(get, set)]
    hidden: PyGcOpaque<Object>,
    #[pyo3(get, set)]
    number: PyGcOpaque<u32>,
    several: PyGcOpaque<Vec<Option<Object>>>,
    boxed: Box<PyGcOpaque<[Object]>>,
    shown: Option<Object>,
    probe: DropProbe,
}
support::hooks!(Holder);

fn holder<'py>(hidden: &Bound<'py, PyAny>, dropped: &DropCounter) -> Bound<'py, Holder> {
    let own = || hidden.clone().unbind();
    let holder = Holder {
        hidden: PyGcOpaque::new(own()),
        number: PyGcOpaque::new(7),
        several: vec![Some(own()), None].into(),
        boxed: Box::new(PyGcOpaque::new([own()])),
        shown: None,
        probe: dropped.probe(),
    };
    Bound::new(hidden.py(), holder).unwrap()
}

#[test]
fn never_visited() {
    alone(|py| {
        let (hidden, shown) = (object(py), object(py));
        let holder = holder(&hidden, &DropCounter::default());
        holder.borrow_mut().shown = Some(shown.clone().unbind());
        assert_eq!(visits(holder.as_any(), &hidden), 0);
        assert_eq!(visits(holder.as_any(), &shown), 1);
    });
}

#[test]
fn never_cleared() {
    alone(|py| {
        let hidden = object(py);
        let holder = holder(&hidden, &DropCounter::default());
        let before = refcount(&hidden);
        holder.borrow_mut().clear();
        holder.borrow().clear_interior();
        assert_eq!(refcount(&hidden), before);
        assert!(holder.borrow().hidden.is(&hidden));
    });
}

/// The documented price.
#[test]
fn a_cycle_through_it_leaks() {
    alone(|py| {
        let (hidden, dropped) = (object(py), DropCounter::default());
        let holder = holder(&hidden, &dropped);
        hidden.setattr("holder", &holder).unwrap();
        let weak = weak(&hidden);
        drop((holder, hidden));
        collect(py);
        assert!(is_alive(&weak));
        assert_eq!(dropped.dropped(), 0);

        weak.upgrade().unwrap().delattr("holder").unwrap();
        assert_eq!(dropped.dropped(), 1);
        assert!(!is_alive(&weak));
    });
}

/// The other use: of two paths to one owner, one is shown.
#[test]
fn a_cycle_that_is_shown_elsewhere_is_collected() {
    alone(|py| {
        let (hidden, dropped) = (object(py), DropCounter::default());
        let holder = holder(&hidden, &dropped);
        holder.borrow_mut().shown = Some(holder.clone().into_any().unbind());
        drop(holder);
        assert_eq!(dropped.dropped(), 0);
        collect(py);
        assert_eq!(dropped.dropped(), 1);
    });
}

#[test]
fn get_and_set_go_through() {
    alone(|py| {
        let (hidden, other) = (object(py), object(py));
        let holder = holder(&hidden, &DropCounter::default());
        assert!(holder.getattr("hidden").unwrap().is(&hidden));
        holder.setattr("hidden", &other).unwrap();
        assert!(holder.getattr("hidden").unwrap().is(&other));

        holder.setattr("number", 8).unwrap();
        assert_eq!(holder.getattr("number").unwrap().extract::<u32>().unwrap(), 8);
        let error = holder.setattr("number", "eight").unwrap_err();
        assert!(error.is_instance_of::<PyTypeError>(py));
    });
}

#[test]
fn converts_as_its_contents_do() {
    alone(|py| {
        let three = PyGcOpaque::new(3_i64).into_pyobject(py).unwrap();
        assert_eq!(three.extract::<PyGcOpaque<i64>>().unwrap(), PyGcOpaque::new(3));
        let text = PyGcOpaque::new(String::from("text"));
        assert_eq!((&text).into_pyobject(py).unwrap().extract::<String>().unwrap(), *text);
        let list = vec![text].into_pyobject(py).unwrap();
        assert_eq!(list.extract::<Vec<PyGcOpaque<String>>>().unwrap()[0].as_ref(), "text");

        let plain = three.extract::<String>().unwrap_err();
        let opaque = three.extract::<PyGcOpaque<String>>().unwrap_err();
        assert_eq!(opaque.to_string(), plain.to_string());
        let opaque = three.extract::<PyGcOpaque<PyRef<'_, Holder>>>();
        assert!(opaque.is_err());
    });
}

/// Hidden keys: what a map is asked with stays what it is.
#[pyclass]
#[derive(PyGcTraversable)]
struct Registry {
    entries: HashMap<PyGcOpaque<Identity>, Object>,
    seen: HashSet<PyGcOpaque<Identity>>,
    probe: DropProbe,
}
support::hooks!(Registry);

/// An object, told from others by its address. Doesn't implement the trait.
struct Identity(Object);

impl PartialEq for Identity {
    fn eq(&self, other: &Self) -> bool {
        self.0.is(&other.0)
    }
}

impl Eq for Identity {}

impl std::hash::Hash for Identity {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        (self.0.as_ptr() as usize).hash(state);
    }
}

#[test]
fn keys_of_a_map_are_hidden_and_values_are_not() {
    alone(|py| {
        let (key, value, dropped) = (object(py), object(py), DropCounter::default());
        let identity = || Identity(key.clone().unbind());
        let registry = Registry {
            entries: HashMap::from([(PyGcOpaque::new(identity()), value.clone().unbind())]),
            seen: HashSet::from([PyGcOpaque::new(identity())]),
            probe: dropped.probe(),
        };
        let registry = Bound::new(py, registry).unwrap();
        assert_eq!(visits(registry.as_any(), &key), 0);
        assert_eq!(visits(registry.as_any(), &value), 1);
        assert!(registry.borrow().entries[&identity()].is(&value));

        // A map of values is cleared whole, keys and all; a set of hidden keys is a leaf.
        registry.borrow_mut().clear();
        assert!(registry.borrow().entries.is_empty());
        assert!(registry.borrow().seen.contains(&identity()));

        value.setattr("registry", &registry).unwrap();
        registry.borrow_mut().entries.insert(identity().into(), value.clone().unbind());
        drop((registry, value));
        collect(py);
        assert_eq!(dropped.dropped(), 1);
    });
}
