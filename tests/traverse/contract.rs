//! The contract of `tp_traverse`, asked of whole classes through the slot itself.

use std::collections::HashMap;
use std::ffi::c_int;
use std::sync::{Mutex, OnceLock};

use pyo3::prelude::*;
use pyo3::types::PyWeakrefMethods;
use pyo3::{PyTraverseError, PyVisit};
use pyo3_gc::{Graveyard, PyGcTraversable, PyGcTraverseAs};

use crate::support::{self, DropCounter, DropProbe, Walk, alone, collect, is_alive, object, weak};

type Object = Py<PyAny>;

#[derive(PyGcTraversable)]
enum Part {
    One(Object),
    Two { first: Object, second: Option<Object> },
}

#[pyclass]
#[derive(PyGcTraversable)]
struct Everything {
    bare: Object,
    #[pyo3(get)]
    optional: Option<Object>,
    list: Vec<Object>,
    map: HashMap<String, (Object, u8)>,
    lock: Mutex<Option<Object>>,
    once: OnceLock<Object>,
    parts: [Part; 2],
    boxed: Box<[Object]>,
    probe: DropProbe,
}
support::hooks!(Everything);

/// A holder of 12 references, all of them to different objects.
fn everything(py: Python<'_>) -> (Bound<'_, PyAny>, Vec<Bound<'_, PyAny>>) {
    let objects: Vec<_> = (0..12).map(|_| object(py)).collect();
    let mut rest = objects.iter();
    let mut next = || rest.next().unwrap().clone().unbind();
    let value = Everything {
        bare: next(),
        optional: Some(next()),
        list: vec![next(), next()],
        map: HashMap::from([(String::from("a"), (next(), 1)), (String::from("b"), (next(), 2))]),
        lock: Mutex::new(Some(next())),
        once: OnceLock::from(next()),
        parts: [Part::One(next()), Part::Two { first: next(), second: Some(next()) }],
        boxed: Box::new([next()]),
        probe: DropCounter::default().probe(),
    };
    (Bound::new(py, value).unwrap().into_any(), objects)
}

fn count(walk: &Walk, object: &Bound<'_, PyAny>) -> usize {
    walk.visits.iter().filter(|(address, _)| *address == object.as_ptr() as usize).count()
}

#[test]
fn visits_what_it_owns_and_nothing_else() {
    alone(|py| {
        let (holder, objects) = everything(py);
        let walk = Walk::of(&holder, None);
        assert_eq!(walk.returned, 0);
        assert!(objects.iter().all(|object| count(&walk, object) == 1));
        // PyO3 visits the class, from 0.30 on.
        let class = count(&walk, &holder.get_type());
        assert!(class <= 1);
        assert_eq!(walk.visits.len(), objects.len() + class);
    });
}

#[test]
fn an_error_stops_the_walk_and_comes_out_unchanged() {
    alone(|py| {
        let (holder, _objects) = everything(py);
        let complete = Walk::of(&holder, None).visits;
        for position in 1..=complete.len() {
            for error in [1, -1, 42, c_int::MAX, c_int::MIN] {
                let walk = Walk::of(&holder, Some((position, error)));
                assert_eq!(walk.returned, error);
                assert_eq!(walk.visits, complete[..position]);
            }
        }
        let past_the_end = Walk::of(&holder, Some((complete.len() + 1, 42)));
        assert_eq!(past_the_end.returned, 0);
    });
}

#[test]
fn a_walk_leaves_objects_tracked_as_they_were() {
    alone(|py| {
        let is_tracked = |object: &Bound<'_, PyAny>| -> bool {
            py.import("gc").unwrap().call_method1("is_tracked", (object,)).unwrap().extract().unwrap()
        };
        let (holder, objects) = everything(py);
        Walk::of(&holder, None);
        assert!(is_tracked(&holder));
        assert!(objects.iter().all(is_tracked));
    });
}

/// Written by hand, and wrong: it panics.
struct Panics;

// SAFETY: it visits nothing. A panic is what is tried here: PyO3 turns it into an error.
unsafe impl PyGcTraversable for Panics {
    const MAY_CONTAIN_CYCLES: bool = true;

    fn traverse(&self, _: PyVisit<'_>) -> Result<(), PyTraverseError> {
        panic!("in a traverse written by hand");
    }

    fn clear(&mut self) {}
}

#[pyclass]
#[derive(PyGcTraversable)]
struct Fragile {
    before: Option<Object>,
    panics: Panics,
    after: Option<Object>,
    probe: DropProbe,
}
support::hooks!(Fragile);

#[test]
fn a_panic_loses_nothing_alive() {
    alone(|py| {
        let (before, after, dropped) = (object(py), object(py), DropCounter::default());
        let fragile = Fragile {
            before: Some(before.clone().unbind()),
            panics: Panics,
            after: Some(after.clone().unbind()),
            probe: dropped.probe(),
        };
        let fragile = Bound::new(py, fragile).unwrap();
        before.setattr("holder", &fragile).unwrap();
        after.setattr("holder", &fragile).unwrap();
        let (before, after) = (weak(&before), weak(&after));

        assert_ne!(Walk::of(fragile.as_any(), None).returned, 0);
        // Once, and not to the end, which a free-threaded build never comes to while this object is there.
        py.import("gc").unwrap().call_method0("collect").unwrap();
        assert!(is_alive(&before));
        assert!(is_alive(&after));
        assert!(fragile.borrow().before.is_some());
        assert!(fragile.borrow().after.is_some());
        assert_eq!(dropped.dropped(), 0);

        // While it is there, a free-threaded build gives up every collection, also those of other tests.
        drop(fragile);
        for object in [before, after] {
            object.upgrade().unwrap().delattr("holder").unwrap();
        }
        assert_eq!(dropped.dropped(), 1);
    });
}

/// Shows the first of its objects and forgets the others.
struct Forgetful;

// SAFETY: 1 and 4: the first is owned, and visited once. 2: only reads. 3: passed on. 5: it may own some. 6: an empty
// vector is one.
unsafe impl PyGcTraverseAs<Vec<Object>> for Forgetful {
    const MAY_CONTAIN_CYCLES: bool = true;

    fn traverse(objects: &Vec<Object>, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(objects.first())
    }

    fn clear_into<'g>(objects: &mut Vec<Object>, graveyard: &mut Graveyard<'g>)
    where
        Vec<Object>: 'g,
    {
        graveyard.bury(std::mem::take(objects));
    }
}

#[pyclass]
#[derive(PyGcTraversable)]
struct Forgets {
    #[pyo3_gc(with = Forgetful)]
    objects: Vec<Object>,
    probe: DropProbe,
}
support::hooks!(Forgets);

#[test]
fn a_forgotten_reference_only_leaks() {
    alone(|py| {
        let (shown, forgotten, dropped) = (object(py), object(py), DropCounter::default());
        let objects = vec![shown.clone().unbind(), forgotten.clone().unbind()];
        let holder = Bound::new(py, Forgets { objects, probe: dropped.probe() }).unwrap();
        shown.setattr("holder", &holder).unwrap();
        forgotten.setattr("holder", &holder).unwrap();
        let (weak_shown, weak_forgotten) = (weak(&shown), weak(&forgotten));
        drop((shown, forgotten));
        collect(py);
        assert_eq!(holder.borrow().objects.len(), 2);

        // The forgotten object looks held from outside, and keeps all that it reaches.
        drop(holder);
        collect(py);
        assert!(is_alive(&weak_shown));
        assert!(is_alive(&weak_forgotten));
        assert_eq!(dropped.dropped(), 0);

        // Without it in the way, the rest is collected.
        weak_forgotten.upgrade().unwrap().delattr("holder").unwrap();
        collect(py);
        assert!(!is_alive(&weak_shown));
        assert!(!is_alive(&weak_forgotten));
        assert_eq!(dropped.dropped(), 1);
    });
}
