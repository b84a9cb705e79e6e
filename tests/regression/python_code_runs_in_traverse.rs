//! Python code ran, a warning was issued, or a `Py` was dropped, inside of `__traverse__`, with the collector's lists in
//! the state of the moment: a crash, sooner or later (PyO3/pyo3#2301, #3165).

use std::collections::{BTreeMap, HashSet};
use std::sync::Mutex;
use std::thread;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::{PyDict, PyList};
use pyo3_gc::{PyGcErr, PyGcTraversable, pyclass, pymethods};

use crate::support::key::Key;
use crate::support::{DropCounter, DropProbe, Walk, alone, collect};

#[derive(PyGcTraversable)]
enum Part {
    One(Py<PyAny>),
    Two { first: Py<PyAny>, second: Option<Py<PyAny>> },
}

#[pyclass]
struct Holder {
    bare: Py<PyAny>,
    parts: Vec<Part>,
    keys: HashSet<Key>,
    values: Mutex<BTreeMap<u8, Py<PyAny>>>,
    text: PyBackedStr,
    error: PyGcErr,
    probe: DropProbe,
}

#[pymethods]
impl Holder {}

/// A class whose instances log whatever is done to them, a subclass of `str` that does, and all other Python code.
const PYTHON: &std::ffi::CStr = c"
import sys, threading, warnings

log = []

def logged(name):
    def method(self, *args):
        log.append(name)
        return getattr(super(type(self), self), name)(*args)
    return method

names = ['__eq__', '__hash__', '__repr__', '__str__', '__getattribute__', '__setattr__', '__format__', '__sizeof__']
def dies(self):
    log.append('__del__')

Loud = type('Loud', (), {name: logged(name) for name in names} | {'__del__': dies})
Text = type('Text', (str,), {name: logged(name) for name in names})

def listen():
    warnings.simplefilter('always')
    warnings.showwarning = lambda message, *rest: log.append(('warning', str(message)))
    sys.unraisablehook = lambda unraisable: log.append(('unraisable', str(unraisable.exc_value)))
    del log[:]
    sys.setprofile(lambda frame, event, arg: log.append((event, frame.f_code.co_name)))

def stop():
    sys.setprofile(None)
    sys.unraisablehook = sys.__unraisablehook__
";

/// Runs `test` with the interpreter listened to, and returns what it did. The calls that start and end it don't count.
fn heard<'py>(scope: &Bound<'py, PyDict>, test: impl FnOnce()) -> Vec<Bound<'py, PyAny>> {
    let get = |name| scope.get_item(name).unwrap().unwrap();
    let (listen, stop) = (get("listen"), get("stop"));
    listen.call0().unwrap();
    test();
    stop.call0().unwrap();
    let log = get("log").cast_into::<PyList>().unwrap();
    let is_own = |entry: &Bound<'_, PyAny>| {
        entry.extract::<(String, String)>().is_ok_and(|(_, name)| name == "listen" || name == "stop")
    };
    log.iter().filter(|entry| !is_own(entry)).collect()
}

fn holder<'py>(scope: &Bound<'py, PyDict>, dropped: &DropCounter) -> Bound<'py, Holder> {
    let py = scope.py();
    let new = |class, arguments: &str| {
        let class = scope.get_item(class).unwrap().unwrap();
        if arguments.is_empty() { class.call0().unwrap() } else { class.call1((arguments,)).unwrap() }
    };
    let loud = || new("Loud", "").unbind();
    let holder = Holder {
        bare: loud(),
        parts: vec![Part::One(loud()), Part::Two { first: loud(), second: Some(loud()) }],
        keys: HashSet::from([Key(1, loud()), Key(2, loud())]),
        values: Mutex::new(BTreeMap::from([(1, loud())])),
        text: new("Text", "text").extract().unwrap(),
        error: PyGcErr::from(PyValueError::new_err(loud())),
        probe: dropped.probe(),
    };
    Bound::new(py, holder).unwrap()
}

fn scope(py: Python<'_>) -> Bound<'_, PyDict> {
    let scope = PyDict::new(py);
    py.run(PYTHON, Some(&scope), None).unwrap();
    scope
}

#[test]
fn no_python_code_runs() {
    alone(|py| {
        let scope = scope(py);
        let holder = holder(&scope, &DropCounter::default());
        let did = heard(&scope, || {
            for _ in 0..3 {
                assert_eq!(Walk::of(holder.as_any(), None).returned, 0, "nor does it panic");
            }
        });
        assert!(did.is_empty(), "{did:?}");

        // That the ears are open.
        let did = heard(&scope, || assert!(holder.borrow().bare.bind(py).repr().is_ok()));
        assert!(!did.is_empty());
    });
}

#[test]
fn a_collection_of_what_lives_runs_none_either() {
    alone(|py| {
        let scope = scope(py);
        let dropped = DropCounter::default();
        let holder = holder(&scope, &dropped);
        collect(py);
        let collect = py.import("gc").unwrap().getattr("collect").unwrap();
        let did = heard(&scope, || assert!(collect.call0().is_ok()));
        assert!(did.is_empty(), "{did:?}");
        assert_eq!(dropped.dropped(), 0);
        assert_eq!(holder.borrow().keys.len(), 2);
    });
}

/// A reference that was given up on a thread that wasn't attached is dropped by whoever attaches next: not by traverse.
#[test]
fn no_reference_is_dropped() {
    alone(|py| {
        let scope = scope(py);
        let holder = holder(&scope, &DropCounter::default());
        let given_up = scope.get_item("Loud").unwrap().unwrap().call0().unwrap().unbind();
        thread::spawn(move || drop(given_up)).join().unwrap();
        let did = heard(&scope, || {
            Walk::of(holder.as_any(), None);
        });
        assert!(did.is_empty(), "{did:?}");
        let did = heard(&scope, || Python::attach(|_| ()));
        assert!(did.iter().any(|entry| entry.to_string().contains("__del__")), "dropped in the end: {did:?}");
    });
}
