//! Fields that are excluded: never visited, never cleared, and everything else is.

use std::sync::{Arc, Mutex};

use pyo3::prelude::*;
use pyo3_gc::{PyGcOpaque, PyGcTraversable};

use crate::support::{
    self, DropCounter, DropProbe, alone, collect, is_alive, object, refcount, visits, weak,
};

type Object = Py<PyAny>;

/// Doesn't implement the trait, and holds what the collector isn't told of.
struct Foreign(Vec<Object>);

#[derive(PyGcTraversable)]
struct Plain {
    #[pyo3(gc = false)]
    excluded: Foreign,
    shown: Option<Object>,
}

#[derive(PyGcTraversable)]
enum Variants {
    Named {
        #[pyo3(gc = false)]
        excluded: Foreign,
        shown: Option<Object>,
    },
    Tuple(#[pyo3_gc(skip)] Foreign, Option<Object>),
}

#[pyclass]
#[derive(PyGcTraversable)]
struct Holder {
    #[pyo3_gc(skip)]
    excluded: Foreign,
    #[pyo3_gc(skip)]
    in_a_lock: Mutex<Foreign>,
    opaque: PyGcOpaque<Vec<Object>>,
    shown: Option<Object>,
    plain: Plain,
    variants: Vec<Variants>,
    probe: DropProbe,
}
support::hooks!(Holder);

/// A holder of `hidden` in 6 places, all of them excluded, and of `shown` in 4, which aren't.
fn holder<'py>(
    hidden: &Bound<'py, PyAny>,
    shown: &Bound<'py, PyAny>,
    dropped: &DropCounter,
) -> Bound<'py, Holder> {
    let foreign = || Foreign(vec![hidden.clone().unbind()]);
    let shown = || Some(shown.clone().unbind());
    let holder = Holder {
        excluded: foreign(),
        in_a_lock: Mutex::new(foreign()),
        opaque: PyGcOpaque::new(foreign().0),
        shown: shown(),
        plain: Plain { excluded: foreign(), shown: shown() },
        variants: vec![
            Variants::Named { excluded: foreign(), shown: shown() },
            Variants::Tuple(foreign(), shown()),
        ],
        probe: dropped.probe(),
    };
    Bound::new(hidden.py(), holder).unwrap()
}

#[test]
fn excluded_fields_are_not_visited() {
    alone(|py| {
        let (hidden, shown) = (object(py), object(py));
        let holder = holder(&hidden, &shown, &DropCounter::default());
        assert_eq!(visits(holder.as_any(), &hidden), 0);
        assert_eq!(visits(holder.as_any(), &shown), 4);
    });
}

#[test]
fn excluded_fields_are_not_cleared() {
    alone(|py| {
        let (hidden, shown) = (object(py), object(py));
        let before = refcount(&shown);
        let mut value =
            Plain { excluded: Foreign(vec![hidden.clone().unbind()]), shown: Some(shown.clone().unbind()) };
        value.clear();
        assert_eq!(value.excluded.0.len(), 1);
        assert!(value.shown.is_none());

        let mut value = [
            Variants::Named { excluded: Foreign(vec![hidden.clone().unbind()]), shown: None },
            Variants::Tuple(Foreign(vec![hidden.clone().unbind()]), Some(shown.clone().unbind())),
        ];
        value.clear();
        assert!(matches!(&value[0], Variants::Named { excluded, shown: None } if excluded.0.len() == 1));
        assert!(matches!(&value[1], Variants::Tuple(excluded, None) if excluded.0.len() == 1));
        assert_eq!(refcount(&shown), before);

        let holder = holder(&hidden, &shown, &DropCounter::default());
        holder.borrow_mut().clear();
        holder.borrow().clear_interior();
        // The list that held two of the four variants is gone with what they held.
        assert_eq!(visits(holder.as_any(), &shown), 0);
        assert_eq!(holder.borrow().excluded.0.len(), 1);
        assert_eq!(holder.borrow().in_a_lock.lock().unwrap().0.len(), 1);
        assert_eq!(holder.borrow().opaque.len(), 1);
        assert_eq!(holder.borrow().plain.excluded.0.len(), 1);
    });
}

/// The price of hiding an object that takes part in a cycle.
#[test]
fn a_cycle_through_an_excluded_field_leaks() {
    alone(|py| {
        let (hidden, shown) = (object(py), object(py));
        let dropped = DropCounter::default();
        let holder = holder(&hidden, &shown, &dropped);
        hidden.setattr("holder", &holder).unwrap();
        let weak = weak(&hidden);
        drop((holder, hidden, shown));
        collect(py);
        assert!(is_alive(&weak));
        assert_eq!(dropped.dropped(), 0);
    });
}

#[test]
fn a_cycle_beside_an_excluded_field_is_collected() {
    alone(|py| {
        let (hidden, shown) = (object(py), object(py));
        let dropped = DropCounter::default();
        let holder = holder(&hidden, &shown, &dropped);
        let before = refcount(&hidden);
        shown.setattr("holder", &holder).unwrap();
        drop((holder, shown));
        assert_eq!(dropped.dropped(), 0);
        collect(py);
        assert_eq!(dropped.dropped(), 1);
        assert_eq!(refcount(&hidden), before - 6);
    });
}

/// An excluded field doesn't count for the constant.
#[derive(PyGcTraversable)]
struct OnlyExcluded {
    #[pyo3(gc = false)]
    _excluded: Foreign,
    #[pyo3(gc = false)]
    _shared: Arc<dyn Fn() + Send + Sync>,
    _number: u8,
}
const _: () = assert!(!OnlyExcluded::MAY_CONTAIN_CYCLES);
