//! Handles on threads that aren't attached, are ending, or are left when the interpreter ends.

use std::cell::RefCell;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use pyo3::prelude::*;
use pyo3::types::{PyList, PyWeakrefReference};
use pyo3_gc::{PyGcPool, PyGcPooled, PyGcTraversable, pyclass, pymethods};

use crate::node;
use crate::support::process::in_a_process_of_its_own;
use crate::support::{HAS_GIL, alone, collect, is_alive, object, visits, weak};

fn is_sendable<T: Send + Sync + 'static>() {}

#[test]
fn pools_and_handles_can_go_anywhere() {
    is_sendable::<PyGcPool>();
    is_sendable::<PyGcPooled<PyAny>>();
    const { assert!(PyGcPool::MAY_CONTAIN_CYCLES) };
    const { assert!(!PyGcPooled::<PyAny>::MAY_CONTAIN_CYCLES) };
}

#[pyclass(frozen)]
struct Holder {
    pool: PyGcPool,
}

#[pymethods]
impl Holder {}

/// Some objects in a pool, with all there is to see of them.
struct Pooled<'py> {
    holder: Bound<'py, Holder>,
    objects: Vec<Bound<'py, PyWeakrefReference>>,
    handles: Vec<PyGcPooled<PyAny>>,
}

impl<'py> Pooled<'py> {
    fn new(py: Python<'py>, count: usize) -> Self {
        let holder = Bound::new(py, Holder { pool: PyGcPool::new(py).unwrap() }).unwrap();
        let objects: Vec<_> = (0..count).map(|_| object(py)).collect();
        let weak = objects.iter().map(weak).collect();
        let handles = holder.get().pool.put_many(py, objects.into_iter().map(Bound::unbind));
        Self { holder, objects: weak, handles }
    }

    fn alive(&self) -> usize {
        self.objects.iter().filter(|object| is_alive(object)).count()
    }

    /// How many objects the collector is shown.
    fn visited(&self) -> usize {
        let gc = self.holder.py().import("gc").unwrap();
        let node = node(&self.holder);
        gc.call_method1("get_referents", (&node,)).unwrap().cast_into::<PyList>().unwrap().iter().count()
            - visits(&node, node.get_type().as_any())
    }

    fn seen(&self) -> [usize; 3] {
        [self.alive(), self.visited(), self.holder.get().pool.len(self.holder.py())]
    }
}

/// A thread that drops what it is sent, while it isn't attached to the interpreter.
struct Dropper {
    handles: Sender<Vec<PyGcPooled<PyAny>>>,
    done: Receiver<()>,
}

impl Dropper {
    fn new(was_attached: bool) -> Self {
        let ((handles, received), (sender, done)) = (channel::<Vec<_>>(), channel());
        let run = move || {
            sender.send(()).unwrap();
            for handles in received {
                drop(handles);
                sender.send(()).unwrap();
            }
        };
        thread::spawn(move || {
            if was_attached {
                Python::attach(|py| py.detach(run));
            } else {
                run();
            }
        });
        done.recv().unwrap();
        Self { handles, done }
    }

    /// While this thread stays attached.
    fn drop(&self, handles: Vec<PyGcPooled<PyAny>>) {
        self.handles.send(handles).unwrap();
        self.done.recv().unwrap();
    }
}

/// What was dropped while detached is still there, and shown, until a thread attaches.
fn goes_with_the_next_attachment(dropper: &Dropper) {
    Python::attach(|py| {
        py.import("gc").unwrap().call_method0("disable").unwrap();
        let mut pooled = Pooled::new(py, 100);
        for left in [60, 20, 0] {
            let some = pooled.handles.split_off(left);
            let before = left + some.len();
            // A slot is kept until its last handle is dropped.
            dropper.drop(some.clone());
            Python::attach(|_| ());
            assert_eq!(pooled.seen(), [before; 3]);

            dropper.drop(some);
            assert_eq!(pooled.seen(), [before; 3], "nothing is hidden");
            Python::attach(|_| ());
            assert_eq!(pooled.seen(), [left; 3]);
        }
    });
}

#[test]
fn dropped_by_a_thread_that_was_never_attached() {
    in_a_process_of_its_own(|| goes_with_the_next_attachment(&Dropper::new(false)));
}

#[test]
fn dropped_by_a_thread_that_was_attached() {
    in_a_process_of_its_own(|| {
        let dropper = Dropper::new(true);
        goes_with_the_next_attachment(&dropper);
    });
}

/// Whoever attaches makes ready for the next time, also when a thread that isn't attached looks on just then.
#[test]
fn dropped_while_other_threads_attach() {
    in_a_process_of_its_own(|| {
        Python::attach(|py| {
            for round in 0..if HAS_GIL { 300 } else { 50 } {
                let mut pooled = Pooled::new(py, 120);
                py.detach(|| {
                    thread::scope(|scope| {
                        for _ in 0..6 {
                            let handles = pooled.handles.split_off(pooled.handles.len() - 20);
                            scope.spawn(move || {
                                for handle in handles {
                                    drop(handle);
                                    Python::attach(|_| ());
                                }
                            });
                        }
                    });
                });
                if !HAS_GIL {
                    // What other threads drop may wait for the thread that made it, or for a collection.
                    collect(py);
                }
                assert_eq!(pooled.seen(), [0; 3], "round {round}");
            }
        });
    });
}

#[test]
fn cloned_by_a_thread_that_is_not_attached() {
    alone(|py| {
        let pooled = Pooled::new(py, 10);
        let clones = thread::scope(|scope| scope.spawn(|| pooled_clones(&pooled.handles)).join().unwrap());
        assert_eq!(clones.len(), 1_000);
        drop(pooled.handles);
        assert!(clones.iter().all(|clone| clone.get(py).is_some()));
    });
}

fn pooled_clones(handles: &[PyGcPooled<PyAny>]) -> Vec<PyGcPooled<PyAny>> {
    handles.iter().flat_map(|handle| (0..100).map(|_| handle.clone())).collect()
}

thread_local! {
    static KEPT: RefCell<Vec<PyGcPooled<PyAny>>> = const { RefCell::new(Vec::new()) };
}

#[test]
fn dropped_by_a_thread_that_is_ending() {
    in_a_process_of_its_own(|| {
        Python::attach(|py| {
            for attaches in [false, true] {
                let mut pooled = Pooled::new(py, 100);
                let handles = std::mem::take(&mut pooled.handles);
                py.detach(|| {
                    let ends = thread::spawn(move || {
                        KEPT.set(handles);
                        if attaches {
                            Python::attach(|_| ());
                        }
                    });
                    ends.join().unwrap();
                });
                assert_eq!(pooled.seen(), [0; 3]);
            }
        });
    });
}

#[test]
fn the_interpreter_ends_before_the_handles() {
    in_a_process_of_its_own(|| {
        let (dropper, pool, handles, other) = {
            // SAFETY: this process has no other interpreter, and nothing of Python's is used once this one has ended.
            unsafe {
                pyo3::with_embedded_python_interpreter(|py| {
                    let dropper = py.detach(|| Dropper::new(true));
                    // A module's globals go with the interpreter, and with them this holder and what it holds.
                    let pooled = Pooled::new(py, 10);
                    let globals = py.import("__main__").unwrap();
                    globals.setattr("holder", &pooled.holder).unwrap();
                    for handle in &pooled.handles {
                        handle.get(py).unwrap().setattr("holder", &pooled.holder).unwrap();
                    }
                    let pool = PyGcPool::new(py).unwrap();
                    let other = pool.put_many(py, (0..10).map(|_| object(py).unbind()));
                    (dropper, pool, pooled.handles, other)
                })
            }
        };
        let [again, other_again] = [handles.clone(), other.clone()];
        drop((handles, other));
        let again = again.into_iter().chain(other_again).collect();
        dropper.drop(again);
        drop(pool);
        // Its thread is not to attach again.
        std::mem::forget(dropper);
    });
}
