//! `PyGcWeak`: leads back to the contents of a `PyGcArc` for as long as somebody holds them.

use std::sync::{Mutex, OnceLock};
use std::thread;

use pyo3::prelude::*;
use pyo3::types::PyWeakrefReference;
use pyo3_gc::{PyGcArc, PyGcWeak, pyclass, pymethods};

use crate::support::{DropCounter, DropProbe, alone, collect, object, visits};

#[derive(pyo3_gc::PyGcTraversable)]
struct Tree {
    parent: OnceLock<PyGcWeak<Tree>>,
    children: Mutex<Vec<PyGcArc<Tree>>>,
    object: Mutex<Option<Py<PyAny>>>,
    probe: DropProbe,
}

impl Tree {
    fn new(py: Python<'_>, dropped: &DropCounter) -> PyGcArc<Self> {
        let (parent, children, object) = (OnceLock::new(), Mutex::default(), Mutex::default());
        PyGcArc::new(py, Self { parent, children, object, probe: dropped.probe() }).unwrap()
    }

    fn grow(this: &PyGcArc<Self>, py: Python<'_>, dropped: &DropCounter) -> PyGcArc<Self> {
        let child = Self::new(py, dropped);
        assert!(child.parent.set(PyGcArc::downgrade(this, py).unwrap()).is_ok());
        this.children.lock().unwrap().push(child.clone_ref(py));
        child
    }

    fn parent(&self, py: Python<'_>) -> Option<PyGcArc<Self>> {
        self.parent.get()?.upgrade(py)
    }
}

/// Holds a tree, and asks an object's `__del__` for it.
#[pyclass(frozen, weakref)]
struct Asks {
    weak: PyGcWeak<Tree>,
    answers: Mutex<Vec<bool>>,
}

#[pymethods]
impl Asks {
    fn ask(&self, py: Python<'_>) {
        let tree = self.weak.upgrade(py);
        // Whatever it is that comes back, it is whole.
        assert!(tree.as_ref().is_none_or(|tree| tree.object.lock().unwrap().is_some()));
        self.answers.lock().unwrap().push(tree.is_some());
    }
}

#[pyclass(frozen)]
struct Holder {
    tree: PyGcArc<Tree>,
}

#[pymethods]
impl Holder {}

#[test]
fn it_ends_with_the_last_holder() {
    alone(|py| {
        let dropped = DropCounter::default();
        let root = Tree::new(py, &dropped);
        let child = Tree::grow(&root, py, &dropped);
        let grandchild = Tree::grow(&child, py, &dropped);
        let parent = grandchild.parent(py).unwrap();
        assert!(PyGcArc::ptr_eq(&parent, &child));
        assert!(PyGcArc::ptr_eq(&parent.parent(py).unwrap(), &root));
        drop(parent);
        // No cycle is left behind: without the collector.
        drop(root);
        assert_eq!(dropped.dropped(), 1);
        assert!(child.parent(py).is_none());
        let again = child.parent.get().unwrap().clone_ref(py);
        assert!(again.upgrade(py).is_none());
        assert_eq!(format!("{again:?}"), "(PyGcWeak)");
        drop((child, grandchild));
        assert_eq!(dropped.dropped(), 3);
    });
}

#[test]
fn it_keeps_nothing_alive_and_is_visited_once() {
    alone(|py| {
        let dropped = DropCounter::default();
        let tree = Tree::new(py, &dropped);
        let weak = PyGcArc::downgrade(&tree, py).unwrap();
        let asks = Bound::new(py, Asks { weak, answers: Mutex::default() }).unwrap();
        // The weak reference itself is what is owned, not the node.
        let node = py.import("gc").unwrap().call_method1("get_referents", (&asks,)).unwrap();
        let seen: Vec<Bound<'_, PyAny>> = node.extract().unwrap();
        let weak = seen.iter().find(|seen| seen.is_instance_of::<PyWeakrefReference>()).unwrap();
        assert_eq!(visits(asks.as_any(), weak), 1);
        assert!(seen.iter().all(|seen| seen.get_type().name().unwrap() != "PyGcArc"));
        collect(py);
        assert!(asks.get().weak.upgrade(py).is_some());
        drop(tree);
        assert_eq!(dropped.dropped(), 1);
        assert!(asks.get().weak.upgrade(py).is_none());
    });
}

/// The node is deallocated: its contents go, and ask for themselves meanwhile.
#[test]
fn contents_that_are_being_dropped_are_gone() {
    struct Dropped(OnceLock<PyGcWeak<Dropped>>, std::sync::Arc<Mutex<Vec<bool>>>);
    pyo3_gc::leaf!(Dropped);
    impl Drop for Dropped {
        fn drop(&mut self) {
            let answer = Python::attach(|py| self.0.get().unwrap().upgrade(py).is_some());
            self.1.lock().unwrap().push(answer);
        }
    }
    alone(|py| {
        let answers = std::sync::Arc::default();
        let shared = PyGcArc::new(py, Dropped(OnceLock::new(), std::sync::Arc::clone(&answers))).unwrap();
        assert!(shared.0.set(PyGcArc::downgrade(&shared, py).unwrap()).is_ok());
        drop(shared);
        assert_eq!(*answers.lock().unwrap(), [false]);
    });
}

/// In a cycle, the collector ends it before it clears; what a finalizer may still get is whole.
#[test]
fn garbage_is_never_seen_emptied() {
    alone(|py| {
        let dropped = DropCounter::default();
        let tree = Tree::new(py, &dropped);
        let weak = PyGcArc::downgrade(&tree, py).unwrap();
        let asks = Bound::new(py, Asks { weak: weak.clone_ref(py), answers: Mutex::default() }).unwrap();
        let class =
            py.eval(c"type('Asker', (), {'__del__': lambda self: self.asks.ask()})", None, None).unwrap();
        let asker = class.call0().unwrap();
        asker.setattr("asks", &asks).unwrap();
        asker.setattr("holder", Bound::new(py, Holder { tree: tree.clone_ref(py) }).unwrap()).unwrap();
        *tree.object.lock().unwrap() = Some(asker.clone().unbind());
        drop((tree, asker));
        collect(py);
        assert_eq!(asks.get().answers.lock().unwrap().len(), 1, "the finalizer has run");
        assert_eq!(dropped.dropped(), 1);
        assert!(weak.upgrade(py).is_none());
    });
}

#[test]
fn threads_may_upgrade_while_the_last_holder_goes() {
    alone(|py| {
        let dropped = DropCounter::default();
        for round in 1..=20 {
            let tree = Tree::new(py, &dropped);
            *tree.object.lock().unwrap() = Some(object(py).unbind());
            let weak = PyGcArc::downgrade(&tree, py).unwrap();
            py.detach(|| {
                thread::scope(|scope| {
                    for _ in 0..2 {
                        scope.spawn(|| {
                            Python::attach(|py| {
                                // Not until it is gone: one keeps it alive for the other.
                                for tree in (0..100).map_while(|_| weak.upgrade(py)) {
                                    assert!(tree.object.lock().unwrap().is_some());
                                    py.detach(|| drop(tree));
                                }
                            });
                        });
                    }
                    scope.spawn(|| Python::attach(|_| drop(tree)));
                });
            });
            // A free-threaded build leaves the last reference to the thread that made the object.
            collect(py);
            assert_eq!(dropped.dropped(), round);
            assert!(weak.upgrade(py).is_none());
        }
    });
}

#[cfg(feature = "all")]
#[test]
fn clones_lead_to_the_same() {
    alone(|py| {
        let dropped = DropCounter::default();
        let tree = Tree::new(py, &dropped);
        let clone = tree.clone();
        assert!(PyGcArc::ptr_eq(&tree, &clone));
        let weak = PyGcArc::downgrade(&tree, py).unwrap().clone();
        drop(tree);
        assert!(PyGcArc::ptr_eq(&weak.upgrade(py).unwrap(), &clone));
        drop(clone);
        assert_eq!(dropped.dropped(), 1);
        assert!(weak.upgrade(py).is_none());
    });
}
