//! A persistent map, whose versions share structure, hides its objects from the collector (crate-py/rpds#264). Nobody but
//! the user can decide what it is to say:
//!
//! - as it is, it doesn't compile: `tests/ui/field/persistent_collection.rs`;
//! - hidden, a cycle through it leaks, as its author chose;
//! - with `PyGcArc` for its pointer, the collector sees through it, however many versions share a node.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3_gc::{PyGcArc, PyGcTraversable, pyclass, pymethods};

use crate::support::{DropCounter, DropProbe, alone, collect, object};

/// As another crate has it: a new version shares its tail with the one before.
struct Foreign<T>(Option<Arc<(u8, T, Foreign<T>)>>);

impl<T> Foreign<T> {
    fn insert(&self, key: u8, value: T) -> Self {
        Self(Some(Arc::new((key, value, Self(self.0.clone())))))
    }

    fn len(&self) -> usize {
        self.0.as_ref().map_or(0, |node| 1 + node.2.len())
    }
}

#[pyclass(frozen)]
struct Hiding {
    #[pyo3_gc(hidden = "a persistent map, whose nodes have several owners")]
    map: Foreign<Py<PyAny>>,
    probe: DropProbe,
}

#[pymethods]
impl Hiding {}

#[test]
fn hidden_it_leaks_and_loses_nothing() {
    alone(|py| {
        let (object, dropped) = (object(py), DropCounter::default());
        let map = Foreign(None).insert(1, object.clone().unbind()).insert(2, object.clone().unbind());
        let holder = Bound::new(py, Hiding { map, probe: dropped.probe() }).unwrap();
        object.setattr("holder", &holder).unwrap();
        let weak = crate::support::weak(&object);
        drop((object, holder));
        collect(py);
        assert_eq!(dropped.dropped(), 0, "it leaks");
        let object = weak.call0().unwrap();
        let holder = object.getattr("holder").unwrap().cast_into::<Hiding>().unwrap();
        assert_eq!(holder.get().map.len(), 2, "whole");
        drop(holder);
        object.delattr("holder").unwrap();
        assert_eq!(dropped.dropped(), 1, "and goes when the cycle is broken by hand");
    });
}

/// The user's own, over the pointer that the collector sees through.
#[derive(PyGcTraversable)]
struct Entry {
    key: u8,
    value: std::sync::Mutex<Option<Py<PyAny>>>,
    rest: Option<PyGcArc<Entry>>,
}

#[pyclass(frozen)]
struct Map {
    entries: Option<PyGcArc<Entry>>,
    probe: DropProbe,
}

#[pymethods]
impl Map {}

impl Map {
    fn empty<'py>(py: Python<'py>, dropped: &DropCounter) -> Bound<'py, Self> {
        Bound::new(py, Self { entries: None, probe: dropped.probe() }).unwrap()
    }

    fn insert<'py>(
        this: &Bound<'py, Self>,
        key: u8,
        value: &Bound<'py, PyAny>,
        dropped: &DropCounter,
    ) -> Bound<'py, Self> {
        let py = this.py();
        let rest = this.get().entries.as_ref().map(|rest| rest.clone_ref(py));
        let entry = Entry { key, value: std::sync::Mutex::new(Some(value.clone().unbind())), rest };
        let entries = Some(PyGcArc::new(py, entry).unwrap());
        Bound::new(py, Self { entries, probe: dropped.probe() }).unwrap()
    }

    fn keys(&self) -> Vec<u8> {
        let first = self.entries.as_deref();
        std::iter::successors(first, |entry| entry.rest.as_deref())
            .filter(|entry| entry.value.lock().unwrap().is_some())
            .map(|entry| entry.key)
            .collect()
    }
}

#[test]
fn over_the_exact_pointer_it_is_collected() {
    alone(|py| {
        let (object, dropped) = (object(py), DropCounter::default());
        let one = Map::insert(&Map::empty(py, &dropped), 1, &object, &dropped);
        let two = Map::insert(&one, 2, &object, &dropped);
        let three = Map::insert(&one, 3, &object, &dropped);
        assert_eq!(dropped.dropped(), 1, "the empty one");
        object.setattr("versions", (&one, &two)).unwrap();
        drop((object, one, two));

        collect(py);
        assert_eq!(three.get().keys(), [3, 1], "a version that lives keeps what it shares");
        assert_eq!(dropped.dropped(), 1);
        drop(three);
        collect(py);
        assert_eq!(dropped.dropped(), 4, "three versions, and what they share");
    });
}
