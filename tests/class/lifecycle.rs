//! What PyO3's own classes do under the collector, ours do too: from the constructor, by way of borrows, to the
//! drop.

use std::sync::Mutex;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use pyo3_gc::{pyclass, pymethods};

use crate::support::{
    DropCounter, DropProbe, alone, collect, cycle_is_collected, is_alive, object, visits, weak,
};

#[pyclass(weakref, subclass)]
struct Node {
    #[pyo3(get, set)]
    own: Option<Py<PyAny>>,
    probe: Option<DropProbe>,
}

#[pymethods]
impl Node {
    /// Takes hold of its argument, and fails if that isn't callable. Collects meanwhile.
    #[new]
    fn new(own: &Bound<'_, PyAny>) -> PyResult<Self> {
        let node = Self { own: Some(own.clone().unbind()), probe: None };
        collect(own.py());
        own.call0()?;
        collect(own.py());
        Ok(node)
    }
}

fn node<'py>(py: Python<'py>, dropped: &DropCounter) -> Bound<'py, Node> {
    Bound::new(py, Node { own: None, probe: Some(dropped.probe()) }).unwrap()
}

#[test]
fn data_is_dropped() {
    alone(|py| {
        let dropped = DropCounter::default();
        // Without the collector, when the last reference goes.
        let (first, second) = (node(py, &dropped), node(py, &dropped));
        first.borrow_mut().own = Some(second.clone().into_any().unbind());
        drop(first);
        assert_eq!((dropped.dropped(), second.borrow().own.is_none()), (1, true));
        drop(second);
        assert_eq!(dropped.dropped(), 2);

        // Dropped while detached, once somebody is attached again; a cycle is left to the collector.
        let [lone, first, second] = [(); 3].map(|()| node(py, &dropped));
        first.borrow_mut().own = Some(second.clone().into_any().unbind());
        second.borrow_mut().own = Some(first.clone().into_any().unbind());
        let nodes = [lone, first, second].map(Bound::unbind);
        py.detach(|| drop(nodes));
        Python::attach(|_| assert_eq!(dropped.dropped(), 3));
        collect(py);
        assert_eq!(dropped.dropped(), 5);
    });
}

#[test]
fn dropped_while_detached_during_a_collection() {
    alone(|py| {
        let dropped = DropCounter::default();
        let nodes: Vec<_> = (0..50).map(|_| node(py, &dropped).unbind()).collect();
        for node in &nodes {
            node.borrow_mut(py).own = Some(node.clone_ref(py).into_any());
        }
        py.detach(|| {
            std::thread::scope(|scope| {
                // Detached threads drop, while others collect.
                scope.spawn(|| drop(nodes));
                scope.spawn(|| Python::attach(collect));
            });
        });
        collect(py);
        assert_eq!(dropped.dropped(), 50);
    });
}

#[pyclass]
struct NoConstructor {
    #[pyo3(get)]
    own: Option<Py<PyAny>>,
}

#[pymethods]
impl NoConstructor {}

#[test]
fn partially_initialised() {
    alone(|py| {
        let scope = PyDict::new(py);
        scope.set_item("Node", py.get_type::<Node>()).unwrap();
        let code = c"
import gc

class Target:
    def __call__(self):
        gc.collect()

class Failing:
    def __call__(self):
        raise ValueError(self)

class Sub(Node):
    def __init__(self, own):
        gc.collect()
        self.itself = self
        raise KeyError

class Unready(Node):
    def __init__(self, own):
        raise AssertionError('is not called')

def left():
    return [type(o) in (Target, Failing, Node, Sub, Unready) for o in gc.get_objects()].count(True)

before = left()
made = 0
def make(target, how):
    global made
    target.target = target
    try:
        node = how(target)
    except (ValueError, KeyError, TypeError) as error:
        target.error = error
        return
    made += 1
    assert node.own is target
    target.node = node

make(Target(), Node)
make(Failing(), Node)
make(Target(), Sub)
make(Failing(), Sub)
make(Target(), lambda target: Unready.__new__(Unready, target))
make(Target(), lambda target: Node.__new__(Sub, target))
make(Target(), object.__new__)
make(Target(), lambda target: object.__new__(Node))
assert made == 3
gc.collect()
gc.collect()
assert left() == before
";
        py.run(code, Some(&scope), None).unwrap();
        scope.clear();
        collect(py);
        assert!(py.get_type::<NoConstructor>().call0().is_err());
        collect(py);
    });
}

/// Collects while its type is being made.
#[pyclass(frozen)]
struct Early {
    own: Mutex<Option<Py<PyAny>>>,
}

#[pymethods]
impl Early {
    #[classattr]
    fn collected(py: Python<'_>) -> usize {
        let dropped = DropCounter::default();
        let node = node(py, &dropped);
        node.borrow_mut().own = Some(node.clone().into_any().unbind());
        drop(node);
        collect(py);
        dropped.dropped()
    }
}

#[test]
fn while_the_type_is_made() {
    alone(|py| {
        let class = py.get_type::<Early>();
        assert_eq!(class.getattr("collected").unwrap().extract::<usize>().unwrap(), 1);
        let target = object(py);
        let early = Early { own: Mutex::new(Some(target.clone().unbind())) };
        cycle_is_collected(target, Bound::new(py, early).unwrap().into_any(), 1);
    });
}

/// A Python class, and an instance of it in one of its attributes.
#[test]
fn a_python_class_and_its_instance() {
    alone(|py| {
        let (scope, dropped) = (PyDict::new(py), DropCounter::default());
        scope.set_item("Node", py.get_type::<Node>()).unwrap();
        scope.set_item("inner", node(py, &dropped)).unwrap();
        let code = c"
class Sub(Node):
    pass
class Callable:
    def __call__(self): pass
Sub.instance = Sub(Callable())
Sub.instance.own = inner
";
        py.run(code, Some(&scope), None).unwrap();
        let class = scope.get_item("Sub").unwrap().unwrap();
        let type_visits = visits(&class.getattr("instance").unwrap(), &class);
        let alive = weak(&class);
        scope.clear();
        collect(py);
        assert!(is_alive(&alive));
        drop(class);
        collect(py);
        // Before 0.30, PyO3 doesn't visit the type, so that a class is never collected as long as an instance is.
        assert_eq!((is_alive(&alive), dropped.dropped()), (type_visits == 0, type_visits));
    });
}

#[pyclass(subclass)]
struct Deleted {
    calls: Option<Py<PyAny>>,
}

#[pymethods]
impl Deleted {
    #[new]
    fn new(calls: Py<PyAny>) -> Self {
        Self { calls: Some(calls) }
    }

    fn __del__(&self, py: Python<'_>) -> PyResult<()> {
        self.calls.as_ref().map_or(Ok(()), |calls| calls.bind(py).call_method1("append", (1,)).map(drop))
    }
}

/// As the docs of `#[pymethods]` say.
#[test]
fn del_is_called_for_python_subclasses_only() {
    alone(|py| {
        let scope = PyDict::new(py);
        scope.set_item("Deleted", py.get_type::<Deleted>()).unwrap();
        let code = c"
calls = []
Deleted(calls)
assert calls == []
class Sub(Deleted): pass
Sub(calls)
assert calls == [1]
";
        py.run(code, Some(&scope), None).unwrap();
        scope.clear();
    });
}
