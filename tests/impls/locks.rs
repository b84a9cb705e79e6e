//! Locks: tried, never waited for; poisoned or not.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, RwLock, mpsc};
use std::thread;

use pyo3::prelude::*;
use pyo3::types::PyWeakrefMethods;
use pyo3_gc::PyGcTraversable;

use crate::support::field::field_tests;
use crate::support::{self, DropCounter, DropProbe, alone, collect, is_alive, object, visits, weak};

type Object = Py<PyAny>;

/// What a lock looks like after a panic of somebody who held it.
fn poisoned<L>(lock: L, hold_and_panic: impl FnOnce(&L)) -> L {
    assert!(catch_unwind(AssertUnwindSafe(|| hold_and_panic(&lock))).is_err());
    lock
}

fn poisoned_mutex<T>(value: T) -> Mutex<T> {
    poisoned(Mutex::new(value), |lock| {
        let _guard = lock.lock();
        panic!("poisons the lock");
    })
}

fn poisoned_rw_lock<T>(value: T) -> RwLock<T> {
    poisoned(RwLock::new(value), |lock| {
        let _guard = lock.write();
        panic!("poisons the lock");
    })
}

field_tests!(LetsGo {
    mutex: Mutex<Object> = |own| Mutex::new(own());
    mutex_of_option: Mutex<Option<Object>> = |own| Mutex::new(Some(own()));
    mutex_of_vec: Mutex<Vec<Object>> = |own| Mutex::new(vec![own(), own()]);
    mutex_of_slice: Box<Mutex<[Object]>> = |own| Box::new(Mutex::new([own(), own()]));
    mutex_poisoned: Mutex<Object> = |own| poisoned_mutex(own());
    mutex_in_mutex: Mutex<Mutex<Option<Object>>> = |own| Mutex::new(Mutex::new(Some(own())));
    rw_lock: RwLock<Object> = |own| RwLock::new(own());
    rw_lock_of_vec: RwLock<Vec<Object>> = |own| RwLock::new(vec![own(), own()]);
    rw_lock_poisoned: RwLock<Object> = |own| poisoned_rw_lock(own());
});

/// A reader is no obstacle, but a writer that waits for it is.
#[test]
#[cfg(target_os = "linux")]
fn a_writer_that_waits_hides_the_contents() {
    alone(|py| {
        let (target, dropped) = (object(py), DropCounter::default());
        let shared = Bound::new(py, Shared::empty(&dropped)).unwrap();
        shared.get().rw_lock.write().unwrap().push(target.clone().unbind());
        let lock = &shared.get().rw_lock;
        let reader = lock.read().unwrap();
        assert_eq!(visits(shared.as_any(), &target), 1);
        thread::scope(|scope| {
            let writer = scope.spawn(|| drop(lock.write()));
            while lock.try_read().is_ok() {
                assert!(!writer.is_finished());
                thread::yield_now();
            }
            assert_eq!(visits(shared.as_any(), &target), 0);
            drop(reader);
            writer.join().unwrap();
        });
        assert_eq!(visits(shared.as_any(), &target), 1);
    });
}

/// Cleared through its locks only.
#[pyclass(frozen)]
#[derive(PyGcTraversable)]
struct Shared {
    mutex: Mutex<Option<Object>>,
    rw_lock: RwLock<Vec<Object>>,
    probe: DropProbe,
}
support::frozen_hooks!(Shared);

impl Shared {
    fn empty(dropped: &DropCounter) -> Self {
        Self { mutex: Mutex::new(None), rw_lock: RwLock::new(Vec::new()), probe: dropped.probe() }
    }
}

#[test]
fn a_frozen_class_with_poisoned_locks_that_holds_itself_is_collected() {
    alone(|py| {
        let dropped = DropCounter::default();
        let shared = Shared {
            mutex: poisoned_mutex(None),
            rw_lock: poisoned_rw_lock(Vec::new()),
            probe: dropped.probe(),
        };
        let shared = Bound::new(py, shared).unwrap();
        let itself = || shared.clone().into_any().unbind();
        *shared.get().mutex.lock().unwrap_err().into_inner() = Some(itself());
        shared.get().rw_lock.write().unwrap_err().into_inner().push(itself());
        assert_eq!(visits(shared.as_any(), shared.as_any()), 2);
        drop(shared);
        collect(py);
        assert_eq!(dropped.dropped(), 1);
    });
}

/// A live object in a cycle, whose locks `hold` holds while it runs `meanwhile`: nothing in it is visited or lost.
fn while_held(hold: impl FnOnce(&Shared, &mut dyn FnMut())) {
    alone(|py| {
        let (target, dropped) = (object(py), DropCounter::default());
        let shared = Bound::new(py, Shared::empty(&dropped)).unwrap();
        *shared.get().mutex.lock().unwrap() = Some(target.clone().unbind());
        shared.get().rw_lock.write().unwrap().push(target.clone().unbind());
        target.setattr("holder", &shared).unwrap();
        assert_eq!(visits(shared.as_any(), &target), 2);

        let weak = weak(&target);
        drop(target);
        hold(shared.get(), &mut || {
            let target = weak.upgrade().unwrap();
            assert_eq!(visits(shared.as_any(), &target), 0);
            drop(target);
            collect(py);
            shared.get().clear_interior();
            assert!(is_alive(&weak));
            assert_eq!(dropped.dropped(), 0);
        });

        // And it is collected once nobody holds anything.
        assert!(shared.get().mutex.lock().unwrap().is_some());
        drop(shared);
        collect(py);
        assert!(!is_alive(&weak));
        assert_eq!(dropped.dropped(), 1);
    });
}

#[test]
fn held_by_the_same_thread() {
    while_held(|shared, meanwhile| {
        let _mutex = shared.mutex.lock().unwrap();
        let _rw_lock = shared.rw_lock.write().unwrap();
        meanwhile();
    });
}

#[test]
fn held_by_another_thread() {
    while_held(|shared, meanwhile| {
        thread::scope(|scope| {
            let (held, wait_for_held) = mpsc::channel();
            let (release, wait_for_release) = mpsc::channel::<()>();
            scope.spawn(move || {
                let _mutex = shared.mutex.lock().unwrap();
                let _rw_lock = shared.rw_lock.write().unwrap();
                held.send(()).unwrap();
                // An error means that the test failed and dropped its end.
                let _ = wait_for_release.recv();
            });
            wait_for_held.recv().unwrap();
            meanwhile();
            drop(release);
        });
    });
}

/// Held for reading, a lock can be looked into but not cleared.
#[test]
fn held_for_reading() {
    alone(|py| {
        let (target, dropped) = (object(py), DropCounter::default());
        let shared = Bound::new(py, Shared::empty(&dropped)).unwrap();
        shared.get().rw_lock.write().unwrap().push(target.clone().unbind());
        let reader = shared.get().rw_lock.read().unwrap();
        assert_eq!(visits(shared.as_any(), &target), 1);
        shared.get().clear_interior();
        assert_eq!(reader.len(), 1);
        drop(reader);
        shared.get().clear_interior();
        assert_eq!(visits(shared.as_any(), &target), 0);
        assert_eq!(dropped.dropped(), 0);
    });
}

#[test]
fn cleared_locks_are_usable_and_stay_poisoned() {
    alone(|py| {
        let lock = Mutex::new(vec![py.None()]);
        lock.clear_interior();
        lock.lock().unwrap().push(py.None());
        assert_eq!(lock.into_inner().unwrap().len(), 1);

        let mut lock = poisoned_rw_lock(Some(py.None()));
        lock.clear();
        assert!(lock.is_poisoned());
        assert!(lock.into_inner().unwrap_err().into_inner().is_none());
    });
}
