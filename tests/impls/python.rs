//! PyO3's own types.

use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyDict, PyList, PyString};
use pyo3_gc::PyGcTraversable;

use crate::support::field::field_tests;
use crate::support::{
    self, DropCounter, DropProbe, alone, collect, is_alive, object, refcount, visits, weak,
};

field_tests!(LetsGo {
    bare: Py<PyAny> = |own| own();
    once_lock: PyOnceLock<Py<PyAny>> = |own| Python::attach(|py| {
        let lock = PyOnceLock::new();
        lock.set(py, own()).unwrap();
        lock
    });
    once_lock_of_several: PyOnceLock<Vec<Py<PyAny>>> = |own| Python::attach(|py| {
        let lock = PyOnceLock::new();
        lock.set(py, vec![own(), own()]).unwrap();
        lock
    });
});

#[test]
fn a_bare_object_becomes_none() {
    alone(|py| {
        let mut field = object(py).unbind();
        field.clear();
        assert!(field.is_none(py));
    });
}

#[test]
fn a_typed_reference_is_visited_and_kept() {
    alone(|py| {
        let list = PyList::empty(py);
        let mut field = list.clone().unbind();
        let before = refcount(&list);
        field.clear();
        field.clear_interior();
        assert!(field.is(&list));
        assert_eq!(refcount(&list), before);
    });
}

/// References to a dict, one of which can be taken out.
#[pyclass]
#[derive(PyGcTraversable)]
struct Typed {
    kept: Py<PyDict>,
    optional: Option<Py<PyDict>>,
    probe: DropProbe,
}
support::hooks!(Typed);

#[test]
fn typed_references_are_visited() {
    alone(|py| {
        let (one, other) = (PyDict::new(py), PyDict::new(py));
        let dropped = DropCounter::default();
        let optional = Some(other.clone().unbind());
        let typed = Typed { kept: one.clone().unbind(), optional, probe: dropped.probe() };
        let holder = Bound::new(py, typed).unwrap().into_any();
        assert_eq!(visits(&holder, &one), 1);
        assert_eq!(visits(&holder, &other), 1);

        one.set_item("holder", &holder).unwrap();
        other.set_item("holder", &holder).unwrap();
        drop((one, other));
        collect(py);
        assert_eq!(dropped.count(), 0);

        drop(holder);
        collect(py);
        assert_eq!(dropped.count(), 1);
    });
}

/// A class that refers to its own kind.
#[pyclass]
#[derive(PyGcTraversable)]
struct Node {
    next: Option<Py<Node>>,
    probe: DropProbe,
}
support::hooks!(Node);

#[test]
fn an_optional_typed_reference_to_itself_is_let_go_of() {
    alone(|py| {
        let dropped = DropCounter::default();
        let node = Bound::new(py, Node { next: None, probe: dropped.probe() }).unwrap();
        node.borrow_mut().next = Some(node.clone().unbind());
        collect(py);
        assert_eq!(dropped.count(), 0);
        assert!(node.borrow().next.is_some());
        drop(node);
        collect(py);
        assert_eq!(dropped.count(), 1);
    });
}

#[pyclass]
#[derive(PyGcTraversable)]
struct Backed {
    text: Option<PyBackedStr>,
    bytes: Option<PyBackedBytes>,
    probe: DropProbe,
}
support::hooks!(Backed);

/// An instance of a subclass of `base`, which has a `__dict__`.
fn with_dict<'py>(base: &Bound<'py, PyAny>) -> Bound<'py, PyAny> {
    let globals = PyDict::new(base.py());
    globals.set_item("value", base).unwrap();
    base.py().eval(c"type('Sub', (type(value),), {})(value)", Some(&globals), None).unwrap()
}

#[test]
#[cfg_attr(all(Py_LIMITED_API, not(Py_3_10)), ignore = "PyO3 holds a copy of the text there")]
fn the_string_of_a_backed_str_is_visited() {
    alone(|py| {
        let text = with_dict(&PyString::new(py, "some text"));
        let dropped = DropCounter::default();
        let backed: PyBackedStr = text.extract().unwrap();
        let before = refcount(&text);
        let holder = Backed { text: Some(backed), bytes: None, probe: dropped.probe() };
        let holder = Bound::new(py, holder).unwrap().into_any();
        assert_eq!(visits(&holder, &text), 1);
        assert_eq!(refcount(&text), before);

        text.setattr("holder", &holder).unwrap();
        let weak = weak(&text);
        drop(text);
        collect(py);
        assert!(is_alive(&weak));
        assert_eq!(holder.cast::<Backed>().unwrap().borrow().text.as_deref(), Some("some text"));

        drop(holder);
        collect(py);
        assert!(!is_alive(&weak));
        assert_eq!(dropped.count(), 1);
    });
}

#[test]
fn a_bare_backed_str_survives_clear() {
    alone(|py| {
        let mut text: PyBackedStr = PyString::new(py, "some text").extract().unwrap();
        text.clear();
        assert_eq!(&*text, "some text");
    });
}

/// The price of what PyO3 doesn't show: such a cycle leaks, but nothing is visited that isn't owned.
#[test]
fn backed_bytes_are_opaque() {
    const { assert!(!PyBackedBytes::MAY_CONTAIN_CYCLES) };
    alone(|py| {
        let bytes = with_dict(&PyBytes::new(py, b"some bytes"));
        let dropped = DropCounter::default();
        let backed: PyBackedBytes = bytes.extract().unwrap();
        let holder = Backed { text: None, bytes: Some(backed), probe: dropped.probe() };
        let holder = Bound::new(py, holder).unwrap().into_any();
        assert_eq!(visits(&holder, &bytes), 0);

        bytes.setattr("holder", &holder).unwrap();
        drop(bytes);
        drop(holder);
        collect(py);
        assert_eq!(dropped.count(), 0);
    });
}

#[test]
fn an_empty_once_lock_stays_usable() {
    alone(|py| {
        let mut lock = PyOnceLock::new();
        lock.set(py, py.None()).unwrap();
        lock.clear();
        assert!(lock.get(py).is_none());
        lock.set(py, object(py).unbind()).unwrap();
        lock.clear_interior();
        assert!(lock.get(py).is_some(), "a shared cell that was written stays so");
    });
}
