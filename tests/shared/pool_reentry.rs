//! A pool while other code runs: destructors that come back into it, visitors that fail, locks of others around it.

use std::sync::{Arc, Mutex};

use pyo3::prelude::*;
use pyo3::types::{PyCFunction, PyDict, PyList, PyTuple};
use pyo3_gc::{PyGcPool, PyGcPooled, pyclass, pymethods};

use crate::node;
use crate::support::process::in_a_process_of_its_own;
use crate::support::{DropCounter, DropProbe, Walk, alone, collect, object, tp_clear};

/// A chain of one pool in another one, through instances.
#[pyclass(frozen)]
struct Link {
    pool: PyGcPool,
    next: Mutex<Option<PyGcPooled<PyAny>>>,
    probe: DropProbe,
}

#[pymethods]
impl Link {}

impl Link {
    fn new(py: Python<'_>, dropped: &DropCounter) -> Py<Self> {
        let pool = PyGcPool::new(py).unwrap();
        Py::new(py, Self { pool, next: Mutex::new(None), probe: dropped.probe() }).unwrap()
    }

    fn set_next(&self, py: Python<'_>, next: &Py<Self>) {
        let next = self.pool.put(py, next.clone_ref(py).into_any());
        *self.next.lock().unwrap() = Some(next);
    }

    fn chain(py: Python<'_>, length: usize, dropped: &DropCounter) -> (Py<Self>, Py<Self>) {
        let last = Self::new(py, dropped);
        let first = (1..length).fold(last.clone_ref(py), |next, _| {
            let link = Self::new(py, dropped);
            link.get().set_next(py, &next);
            link
        });
        (first, last)
    }
}

#[test]
fn long_chains_are_dropped_and_collected() {
    const LENGTH: usize = 100_000;
    in_a_process_of_its_own(|| {
        alone(|py| {
            let dropped = DropCounter::default();
            drop(Link::chain(py, LENGTH, &dropped));
            assert_eq!(dropped.dropped(), LENGTH);

            let (first, last) = Link::chain(py, LENGTH, &dropped);
            last.get().set_next(py, &first);
            drop((first, last));
            assert_eq!(dropped.dropped(), LENGTH);
            collect(py);
            assert_eq!(dropped.dropped(), 2 * LENGTH);
        });
    });
}

/// A Python object that calls `f` when it is dropped.
fn at_drop(py: Python<'_>, f: impl Fn(Python<'_>) + Send + Sync + 'static) -> Bound<'_, PyAny> {
    let scope = PyDict::new(py);
    py.run(c"class AtDrop:\n    def __del__(self): self.f()", None, Some(&scope)).unwrap();
    let object = scope.get_item("AtDrop").unwrap().unwrap().call0().unwrap();
    let call = move |args: &Bound<'_, PyTuple>, _: Option<&Bound<'_, PyDict>>| f(args.py());
    object.setattr("f", PyCFunction::new_closure(py, None, None, call).unwrap()).unwrap();
    object
}

#[test]
fn destructors_may_come_back_when_it_is_cleared_or_a_handle_or_the_pool_is_dropped() {
    type Handles = Arc<Mutex<Vec<PyGcPooled<PyAny>>>>;

    fn use_pool(py: Python<'_>, pool: &PyGcPool, handles: &Handles) {
        let seen = pool.len(py);
        let handle = pool.put(py, PyList::empty(py).into_any().unbind());
        assert_eq!(pool.len(py), seen + 1);
        assert!(handle.get(py).is_some());
        drop(handle);
        let handles = std::mem::take(&mut *handles.lock().unwrap());
        for handle in &handles {
            let _ = handle.get(py);
        }
        drop(handles);
    }

    alone(|py| {
        let how: [fn(Python<'_>, &Py<Link>, &Handles); 3] = [
            |py, link, _| {
                tp_clear(&node(link.bind(py)));
            },
            |_, _, handles| {
                let handle = handles.lock().unwrap().swap_remove(0);
                drop(handle);
            },
            |_, _, handles| {
                let all = std::mem::take(&mut *handles.lock().unwrap());
                drop(all);
            },
        ];
        for how in how {
            let (dropped, handles, runs) =
                (DropCounter::default(), Handles::default(), DropCounter::default());
            let link = Link::new(py, &dropped);
            for _ in 0..10 {
                let (link_again, handles_again, runs) =
                    (link.clone_ref(py), Arc::clone(&handles), runs.clone());
                let object = at_drop(py, move |py| {
                    drop(runs.probe());
                    use_pool(py, &link_again.get().pool, &handles_again);
                });
                handles.lock().unwrap().push(link.get().pool.put(py, object.unbind()));
            }
            how(py, &link, &handles);
            assert_eq!(runs.dropped(), 10);
            assert!(link.get().pool.is_empty(py));
        }

        // The last holder of the pool.
        let (runs, dropped) = (DropCounter::default(), DropCounter::default());
        let link = Link::new(py, &dropped);
        let seen: Arc<Mutex<Option<PyGcPooled<PyAny>>>> = Arc::default();
        let object = at_drop(py, {
            let (runs, seen) = (runs.clone(), Arc::clone(&seen));
            move |py| {
                drop(runs.probe());
                assert!(seen.lock().unwrap().as_ref().unwrap().get(py).is_none());
            }
        });
        *seen.lock().unwrap() = Some(link.get().pool.put(py, object.unbind()));
        drop(link);
        assert_eq!((runs.dropped(), dropped.dropped()), (1, 1));
    });
}

#[test]
fn put_get_and_clone_run_no_python_code() {
    in_a_process_of_its_own(|| {
        Python::attach(|py| {
            let pool = PyGcPool::new(py).unwrap();
            let objects: Vec<Py<PyAny>> = (0..5_000).map(|_| object(py).unbind()).collect();
            let gc = py.import("gc").unwrap();
            // Whatever is made of Python's starts a collection, which says so.
            let runs = PyList::empty(py);
            let call = {
                let runs = runs.clone().unbind();
                move |args: &Bound<'_, PyTuple>, _: Option<&Bound<'_, PyDict>>| runs.bind(args.py()).append(1)
            };
            let call = PyCFunction::new_closure(py, None, None, call).unwrap();
            gc.getattr("callbacks").unwrap().call_method1("append", (call,)).unwrap();
            gc.call_method1("set_threshold", (1, 1, 1)).unwrap();
            let before = runs.len();
            let handles = pool.put_many(py, objects);
            let again = handles.clone();
            assert!(handles.iter().all(|handle| handle.get(py).is_some()));
            assert_eq!(runs.len(), before);
            drop((handles, again));
        });
    });
}

#[test]
fn a_visitors_error_is_returned_at_once() {
    alone(|py| {
        let link = Link::new(py, &DropCounter::default());
        let handles = link.get().pool.put_many(py, (0..3).map(|_| object(py).unbind()));
        let node = node(link.bind(py));
        let all = Walk::of(&node, None);
        assert_eq!(all.returned, 0);
        for stop_at in 1..=all.visits.len() {
            let walk = Walk::of(&node, Some((stop_at, 7)));
            assert_eq!((walk.returned, walk.visits.as_slice()), (7, &all.visits[..stop_at]));
        }
        assert_eq!(Walk::of(&node, None).visits, all.visits, "steady, and no count has moved");
        drop(handles);
    });
}
