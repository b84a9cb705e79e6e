//! `drop_iteratively`: long chains of any kind, dropped with the stack of a short one.

use std::cell::RefCell;
use std::panic::{self, AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;

use pyo3::prelude::*;
use pyo3::types::{PyCFunction, PyDict, PyList};
use pyo3_gc::{PyGcArc, PyGcTraversable, drop_iteratively, pyclass, pymethods};

use crate::support::process::in_a_process_of_its_own;
use crate::support::stack::{USUAL_STACK, on_stack};
use crate::support::{DropCounter, DropProbe, HOLDS_BY_HAND, alone, collect};

const MILLION: usize = 1_000_000;
/// More than ten times what the stack has room for.
const MANY: usize = 200_000;

macro_rules! dropped_iteratively {
    ($($class:ident),+) => {$(
        impl Drop for $class {
            fn drop(&mut self) {
                drop_iteratively(self);
            }
        }
    )+};
}
dropped_iteratively!(Single, Node, Boxed, Shared, Rope);

/// Makes a chain of so many links, and drops it; each has been dropped in the end.
fn goes<T>(links: usize, first: impl FnOnce(Python<'_>, &DropCounter) -> T + Send + 'static) {
    on_stack(USUAL_STACK, move || {
        alone(|py| {
            let dropped = DropCounter::default();
            let first = first(py, &dropped);
            assert_eq!(dropped.dropped(), 0);
            drop(first);
            assert_eq!(dropped.dropped(), links);
        });
    });
}

#[pyclass]
struct Single {
    next: Option<Py<Single>>,
    probe: DropProbe,
}

#[pymethods]
impl Single {}

fn single(py: Python<'_>, links: usize, dropped: &DropCounter) -> Option<Py<Single>> {
    (0..links).fold(None, |next, _| Some(Py::new(py, Single { next, probe: dropped.probe() }).unwrap()))
}

#[test]
fn a_million_instances() {
    goes(MILLION, |py, dropped| single(py, MILLION, dropped));
}

/// Two classes by turns, one of which can't be cleared.
#[pyclass]
struct Node {
    edges: Vec<Py<Edge>>,
    probe: DropProbe,
}

#[pymethods]
impl Node {}

#[pyclass(frozen)]
struct Edge {
    target: Py<Node>,
}

#[pymethods]
impl Edge {}

fn node(py: Python<'_>, target: Option<Py<Node>>, dropped: &DropCounter) -> Py<Node> {
    let edges = target.map(|target| Py::new(py, Edge { target }).unwrap());
    Py::new(py, Node { edges: edges.into_iter().collect(), probe: dropped.probe() }).unwrap()
}

#[test]
fn one_of_two_classes_will_do() {
    goes(MANY, |py, dropped| (0..MANY).fold(None, |target, _| Some(node(py, target, dropped))));
}

/// The same as garbage: which the classes' hooks alone can't take apart.
#[test]
fn collected() {
    on_stack(USUAL_STACK, || {
        alone(|py| {
            let dropped = DropCounter::default();
            let last = node(py, None, &dropped);
            let first = (1..MANY).fold(last.clone_ref(py), |target, _| node(py, Some(target), &dropped));
            last.borrow_mut(py).edges.push(Py::new(py, Edge { target: first }).unwrap());
            drop(last);
            assert_eq!(dropped.dropped(), 0);
            collect(py);
            assert_eq!(dropped.dropped(), MANY);
        });
    });
}

/// No class at all.
#[derive(PyGcTraversable)]
struct Boxed {
    next: Option<Box<Boxed>>,
    object: Option<Py<PyAny>>,
    probe: DropProbe,
}

fn boxed(links: usize, dropped: &DropCounter) -> Option<Box<Boxed>> {
    (0..links).fold(None, |next, _| Some(Box::new(Boxed { next, object: None, probe: dropped.probe() })))
}

#[test]
fn boxes() {
    goes(MANY, |_, dropped| boxed(MANY, dropped));
}

/// Nor one of the user's.
#[derive(PyGcTraversable)]
struct Shared {
    next: Mutex<Option<PyGcArc<Shared>>>,
    probe: DropProbe,
}

#[test]
fn shared_pointers() {
    goes(MANY, |py, dropped| {
        (0..MANY).fold(None, |next, _| {
            Some(PyGcArc::new(py, Shared { next: next.into(), probe: dropped.probe() }).unwrap())
        })
    });
}

/// Of the parts of a rope, one goes on.
#[derive(PyGcTraversable)]
struct Rope {
    parts: Vec<Rope>,
    object: Py<PyAny>,
    probe: DropProbe,
}

#[test]
fn branches() {
    goes(1 + 2 * MANY, |py, dropped| {
        let rope = |parts| Rope { parts, object: py.None(), probe: dropped.probe() };
        (0..MANY).fold(rope(Vec::new()), |rest, _| rope(vec![rope(Vec::new()), rest]))
    });
}

/// What is dropped while detached, PyO3 drops when the thread attaches again.
#[test]
fn detached() {
    on_stack(USUAL_STACK, || {
        alone(|py| {
            let dropped = DropCounter::default();
            let first = single(py, MANY, &dropped);
            py.detach(|| drop(first));
            Python::attach(|_| ());
            assert_eq!(dropped.dropped(), MANY);
        });
    });
}

/// The links behind one whose destructor panics are dropped all the same, and so are later chains.
#[test]
fn a_destructor_panics() {
    #[derive(PyGcTraversable)]
    struct Loud {
        next: Option<Box<Loud>>,
        object: Option<Py<PyAny>>,
        fuse: Fuse,
        probe: DropProbe,
    }
    dropped_iteratively!(Loud);

    struct Fuse(bool);
    pyo3_gc::leaf!(Fuse);

    impl Drop for Fuse {
        fn drop(&mut self) {
            assert!(!self.0, "a destructor panics");
        }
    }

    on_stack(USUAL_STACK, || {
        for panics in [true, false] {
            let dropped = DropCounter::default();
            let first = (0..MANY).fold(None, |next, turn| {
                let fuse = Fuse(panics && turn == MANY / 2);
                Some(Box::new(Loud { next, object: None, fuse, probe: dropped.probe() }))
            });
            assert_eq!(catch_unwind(AssertUnwindSafe(|| drop(first))).is_err(), panics);
            assert_eq!(dropped.dropped(), MANY);
        }
    });
}

/// Each instance's panic is reported as PyO3 reports one, and ends nothing: neither the process nor the chain.
#[test]
fn the_destructors_of_instances_panic() {
    #[pyclass]
    struct Loud {
        next: Option<Py<Loud>>,
        probe: DropProbe,
    }

    #[pymethods]
    impl Loud {}

    impl Drop for Loud {
        fn drop(&mut self) {
            drop_iteratively(self);
            panic!("a destructor panics");
        }
    }

    in_a_process_of_its_own(|| {
        on_stack(USUAL_STACK, || {
            alone(|py| {
                let scope = PyDict::new(py);
                let code = c"
import sys
reports = []
sys.unraisablehook = lambda unraisable: reports.append(str(unraisable.exc_value))
";
                py.run(code, Some(&scope), None).unwrap();
                panic::set_hook(Box::new(|_| ()));
                for links in [1, 3, 10_000] {
                    let dropped = DropCounter::default();
                    let first = (0..links).fold(None, |next, _| {
                        Some(Py::new(py, Loud { next, probe: dropped.probe() }).unwrap())
                    });
                    drop(first);
                    assert_eq!(dropped.dropped(), links);
                    let reports = scope.get_item("reports").unwrap().unwrap().cast_into::<PyList>().unwrap();
                    assert_eq!(reports.len(), links);
                    assert!(reports.iter().all(|report| report.to_string() == "a destructor panics"));
                    reports.call_method0("clear").unwrap();
                }
                drop(panic::take_hook());
            });
        });
    });
}

/// Of several panics of values, the first goes on; none ends the process.
#[test]
fn the_destructors_of_values_panic() {
    #[derive(PyGcTraversable)]
    struct Loud {
        next: Vec<Loud>,
        object: Option<Py<PyAny>>,
        probe: DropProbe,
    }

    impl Drop for Loud {
        fn drop(&mut self) {
            drop_iteratively(self);
            panic!("a destructor panics");
        }
    }

    let dropped = DropCounter::default();
    let first = (0..3).fold(None, |next: Option<Loud>, _| {
        Some(Loud { next: next.into_iter().collect(), object: None, probe: dropped.probe() })
    });
    assert!(catch_unwind(AssertUnwindSafe(|| drop(first))).is_err());
    assert_eq!(dropped.dropped(), 3);
}

/// What is dropped by the `__del__` of a link is gone when the `del` is over, as it is anywhere else. Without a GIL, or
/// through the stable ABI, what it leads to waits.
#[test]
fn a_drop_in_a_finalizer() {
    #[pyclass]
    struct Other {
        item: Option<Py<PyAny>>,
        probe: DropProbe,
    }
    dropped_iteratively!(Other);

    #[pymethods]
    impl Other {}

    alone(|py| {
        let dropped = DropCounter::default();
        let other = |item| Bound::new(py, Other { item, probe: dropped.probe() }).unwrap().into_any();
        let scope = PyDict::new(py);
        scope.set_item("other", other(Some(other(None).unbind()))).unwrap();
        let count = dropped.clone();
        let count = PyCFunction::new_closure(py, None, None, move |_, _| count.dropped()).unwrap();
        scope.set_item("dropped", count).unwrap();
        let code = c"
class WithDel:
    def __del__(self):
        global other
        del other
        found.append(dropped())

found = []
with_del = WithDel()
";
        py.run(code, Some(&scope), None).unwrap();
        let with_del = scope.get_item("with_del").unwrap().unwrap().unbind();
        scope.del_item("with_del").unwrap();
        let first = other(Some(other(Some(with_del)).unbind()));
        assert_eq!(dropped.dropped(), 0);
        drop(first);
        let found: Vec<usize> = scope.get_item("found").unwrap().unwrap().extract().unwrap();
        // The link that leads to it, and the other two. (The first one is in the middle of its drop.)
        assert_eq!(found, [if HOLDS_BY_HAND { 3 } else { 2 }]);
    });
}

/// A chain that is dropped when its thread ends and the others' turn is over.
#[test]
fn a_thread_ends() {
    thread_local! {
        static CHAIN: RefCell<Option<Box<Boxed>>> = const { RefCell::new(None) };
    }

    let dropped = DropCounter::default();
    let counter = dropped.clone();
    on_stack(USUAL_STACK, move || {
        CHAIN.set(boxed(100, &counter));
        drop(boxed(100, &counter));
        assert_eq!(counter.dropped(), 100);
    });
    assert_eq!(dropped.dropped(), 200);
}
