//! Classes that are collected on other threads than their own.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Mutex;
use std::{panic, process};

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use pyo3_gc::{PyGcTraversable, pyclass, pymethods};

use crate::support::process::in_a_process_of_its_own;
use crate::support::{self, DropCounter, DropProbe, alone, collect, is_alive, object, visits, weak};

/// Knows the thread that it may be used on.
struct Local(#[allow(dead_code, reason = "makes it local")] Rc<Cell<u8>>, std::thread::ThreadId);
pyo3_gc::leaf!(Local);

impl Local {
    fn new() -> Self {
        Self(Rc::default(), std::thread::current().id())
    }
}

impl Drop for Local {
    fn drop(&mut self) {
        if std::thread::current().id() != self.1 {
            eprintln!("dropped on another thread");
            std::process::abort();
        }
    }
}

#[pyclass(unsendable)]
struct Open {
    own: Option<Py<PyAny>>,
    local: Local,
    probe: DropProbe,
}

#[pymethods]
impl Open {}

#[pyclass(unsendable, frozen)]
struct Frozen {
    own: RefCell<Vec<Py<PyAny>>>,
    local: Local,
    probe: DropProbe,
}

#[pymethods]
impl Frozen {}

/// The same as `Open`, by PyO3's macros and by hand.
#[pyo3::pyclass(unsendable)]
#[derive(PyGcTraversable)]
struct ByHand {
    own: Option<Py<PyAny>>,
    local: Local,
    probe: DropProbe,
}
support::hooks!(ByHand);

/// Not bound to a thread.
#[pyclass]
struct Sendable {
    own: Mutex<Option<Py<PyAny>>>,
    probe: DropProbe,
}

#[pymethods]
impl Sendable {}

fn open<'py>(py: Python<'py>, own: Option<Py<PyAny>>, dropped: &DropCounter) -> Bound<'py, PyAny> {
    Bound::new(py, Open { own, local: Local::new(), probe: dropped.probe() }).unwrap().into_any()
}

fn frozen<'py>(py: Python<'py>, own: Option<Py<PyAny>>, dropped: &DropCounter) -> Bound<'py, PyAny> {
    let own = RefCell::new(own.into_iter().collect());
    Bound::new(py, Frozen { own, local: Local::new(), probe: dropped.probe() }).unwrap().into_any()
}

fn by_hand<'py>(py: Python<'py>, own: Option<Py<PyAny>>, dropped: &DropCounter) -> Bound<'py, PyAny> {
    Bound::new(py, ByHand { own, local: Local::new(), probe: dropped.probe() }).unwrap().into_any()
}

type Make = for<'py> fn(Python<'py>, Option<Py<PyAny>>, &DropCounter) -> Bound<'py, PyAny>;
const MAKES: [Make; 3] = [open, frozen, by_hand];

fn on_another_thread<R: Send>(py: Python<'_>, run: impl FnOnce(Python<'_>) -> R + Send) -> R {
    py.detach(|| std::thread::scope(|scope| scope.spawn(|| Python::attach(run)).join().unwrap()))
}

/// In a cycle, an object that can't be looked into keeps all of it alive, until its own thread collects.
#[test]
fn a_cycle_waits_for_its_own_thread() {
    alone(|py| {
        for make in MAKES {
            let (target, dropped) = (object(py), DropCounter::default());
            let holder = make(py, Some(target.clone().unbind()), &dropped);
            target.setattr("holder", &holder).unwrap();
            let (alive, shared) = (weak(&target), holder.clone().unbind());
            drop(target);

            // Neither is it looked into while somebody holds it, nor harmed.
            on_another_thread(py, |py| {
                assert!(py.import("gc").unwrap().call_method1("get_referents", (&shared,)).is_ok());
                collect(py);
            });
            let target = pyo3::types::PyWeakrefMethods::upgrade(&alive).unwrap();
            assert_eq!(visits(&holder, &target), 1);
            drop((target, shared));

            drop(holder);
            on_another_thread(py, collect);
            assert_eq!((is_alive(&alive), dropped.dropped()), (true, 0));
            collect(py);
            assert_eq!((is_alive(&alive), dropped.dropped()), (false, 1));
        }
    });
}

/// Garbage that others hold, and that holds on to nothing in the cycle, does go. PyO3 then leaks the value rather than
/// drop it on the wrong thread, and reports that; nothing aborts, and nothing of it is dropped or cleared there.
#[test]
fn held_by_garbage() {
    alone(|py| {
        let (report, reports) = (py.import("sys").unwrap(), PyList::empty(py));
        let hook = report.getattr("unraisablehook").unwrap();
        report.setattr("unraisablehook", reports.getattr("append").unwrap()).unwrap();
        for make in MAKES {
            let (target, dropped) = (object(py), DropCounter::default());
            let alive = weak(&target);
            // Older than the list, so that the collector comes to clear it before the list lets go of it.
            let holder = make(py, Some(target.unbind()), &dropped);
            let list = PyList::new(py, [&holder]).unwrap();
            list.append(&list).unwrap();
            drop((list, holder));
            reports.call_method0("clear").unwrap();
            on_another_thread(py, collect);
            assert_eq!((is_alive(&alive), dropped.dropped()), (true, 0));
            assert!(!reports.is_empty());
            collect(py);
            assert!(is_alive(&alive));
        }
        report.setattr("unraisablehook", hook).unwrap();
    });
}

#[test]
fn sendable() {
    alone(|py| {
        let dropped = DropCounter::default();
        let make = |py: Python<'_>| {
            let object = Bound::new(py, Sendable { own: Mutex::default(), probe: dropped.probe() }).unwrap();
            *object.borrow().own.lock().unwrap() = Some(object.clone().into_any().unbind());
        };
        make(py);
        on_another_thread(py, collect);
        assert_eq!(dropped.dropped(), 1);
        on_another_thread(py, make);
        collect(py);
        assert_eq!(dropped.dropped(), 2);
    });
}

/// A base class that is bound to its thread, and one that derives from it and isn't.
#[pyclass(unsendable, subclass)]
struct Base {
    own: Option<Py<PyAny>>,
    local: Local,
    probe: DropProbe,
}

#[pymethods]
impl Base {}

#[pyclass(extends = Base, subclass)]
struct Derived {
    own: Option<Py<PyAny>>,
}

#[pymethods]
impl Derived {}

fn derived<'py>(py: Python<'py>, own: Option<Py<PyAny>>, dropped: &DropCounter) -> Bound<'py, PyAny> {
    let base = Base { own: None, local: Local::new(), probe: dropped.probe() };
    Bound::new(py, PyClassInitializer::from(base).add_subclass(Derived { own })).unwrap().into_any()
}

/// What is cleared on another thread is left alone there, without a panic, which could end the process. What PyO3 reports is
/// that it doesn't drop it.
#[test]
fn no_panic() {
    in_a_process_of_its_own(|| {
        alone(|py| {
            panic::set_hook(Box::new(|panic| {
                eprintln!("{panic}");
                process::abort();
            }));
            let scope = PyDict::new(py);
            let code = c"
import sys
reports = []
sys.unraisablehook = lambda unraisable: reports.append(str(unraisable.exc_value))
";
            py.run(code, Some(&scope), None).unwrap();
            let reports = scope.get_item("reports").unwrap().unwrap().cast_into::<PyList>().unwrap();
            // What the derived class itself owns, it may drop.
            for (make, keeps) in [(open as Make, true), (frozen, true), (derived, false)] {
                let (target, dropped) = (object(py), DropCounter::default());
                let alive = weak(&target);
                let holder = make(py, Some(target.unbind()), &dropped);
                let list = PyList::new(py, [&holder]).unwrap();
                list.append(&list).unwrap();
                drop((list, holder));
                on_another_thread(py, collect);
                assert_eq!((is_alive(&alive), dropped.dropped()), (keeps, 0));
            }
            let expected = "is unsendable, but is being dropped on another thread";
            assert_eq!(reports.len(), 3, "{reports}");
            assert!(reports.iter().all(|message| message.to_string().ends_with(expected)), "{reports}");
            drop(panic::take_hook());
        });
    });
}
