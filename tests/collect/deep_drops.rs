//! `drop_iteratively`: long chains of any kind, dropped with the stack of a short one.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;

use pyo3::prelude::*;
use pyo3_gc::{PyGcArc, PyGcTraversable, drop_iteratively, pyclass, pymethods};

use crate::support::stack::{USUAL_STACK, on_stack};
use crate::support::{DropCounter, DropProbe, alone, collect};

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
