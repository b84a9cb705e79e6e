//! A smart pointer in a traverse handler took a reference and gave it back. Free-threaded builds compute in the same
//! field, so that the object looked held from outside, and leaked (python/cpython#123241).

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, RwLock};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3_gc::{PyGcArc, PyGcErr, PyGcTraversable, pyclass, pymethods};

use crate::support::{DropCounter, DropProbe, Walk, alone, collect, object, refcount};

#[derive(PyGcTraversable)]
struct Shared(Mutex<Option<Py<PyAny>>>);

/// One pointer of each kind, all to one object.
#[pyclass(unsendable)]
struct Holder {
    bare: Py<PyAny>,
    boxed: Box<Option<Py<PyAny>>>,
    arc: Arc<Mutex<Option<Py<PyAny>>>>,
    cell: RefCell<Vec<Py<PyAny>>>,
    lock: RwLock<HashMap<u8, Py<PyAny>>>,
    once: OnceLock<Py<PyAny>>,
    py_once: PyOnceLock<Py<PyAny>>,
    gc_arc: PyGcArc<Shared>,
    error: PyGcErr,
    probe: DropProbe,
}

#[pymethods]
impl Holder {}

/// How many of the pointers are to the object itself; the others are to a node and to an exception.
const DIRECT: usize = 7;

impl Holder {
    fn new<'py>(object: &Bound<'py, PyAny>, dropped: &DropCounter) -> Bound<'py, Self> {
        let py = object.py();
        let own = || object.clone().unbind();
        let py_once = PyOnceLock::new();
        py_once.set(py, own()).unwrap();
        let holder = Self {
            bare: own(),
            boxed: Box::new(Some(own())),
            arc: Arc::new(Mutex::new(Some(own()))),
            cell: RefCell::new(vec![own()]),
            lock: RwLock::new(HashMap::from([(0, own())])),
            once: OnceLock::from(own()),
            py_once,
            gc_arc: PyGcArc::new(py, Shared(Mutex::new(Some(own())))).unwrap(),
            error: PyGcErr::from(PyValueError::new_err(own())),
            probe: dropped.probe(),
        };
        Bound::new(py, holder).unwrap()
    }
}

#[test]
fn no_count_moves_not_even_for_a_moment() {
    alone(|py| {
        let object = object(py);
        let holder = Holder::new(&object, &DropCounter::default());
        let before = (refcount(&object), refcount(holder.as_any()));
        let walk = Walk::of(holder.as_any(), None);
        assert_eq!(walk.returned, 0);
        let seen: Vec<_> =
            walk.visits.iter().filter(|(address, _)| *address == object.as_ptr() as usize).collect();
        assert_eq!(seen.len(), DIRECT);
        assert!(seen.iter().all(|(_, during)| *during == before.0), "as the visitor saw it: {seen:?}");
        assert_eq!((refcount(&object), refcount(holder.as_any())), before);
    });
}

#[test]
fn garbage_is_collected_on_every_build() {
    alone(|py| {
        let (object, dropped) = (object(py), DropCounter::default());
        let holder = Holder::new(&object, &dropped);
        object.setattr("holder", &holder).unwrap();
        drop(object);
        collect(py);
        assert_eq!(dropped.dropped(), 0);
        assert!(holder.borrow().bare.bind(py).hasattr("holder").unwrap());
        drop(holder);
        collect(py);
        assert_eq!(dropped.dropped(), 1);
    });
}

/// One reference to each, as few as there can be: where a moment's count does most harm.
#[test]
fn a_ring_is_collected_on_every_build() {
    #[pyclass]
    struct Link {
        next: Py<PyAny>,
        probe: DropProbe,
    }

    #[pymethods]
    impl Link {}

    alone(|py| {
        let dropped = DropCounter::default();
        let link = || Bound::new(py, Link { next: py.None(), probe: dropped.probe() }).unwrap();
        let (first, second) = (link(), link());
        first.borrow_mut().next = second.clone().into_any().unbind();
        second.borrow_mut().next = first.clone().into_any().unbind();
        drop(second);
        collect(py);
        assert_eq!(dropped.dropped(), 0);
        drop(first);
        collect(py);
        assert_eq!(dropped.dropped(), 2);
    });
}
