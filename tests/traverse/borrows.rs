//! Collections in the middle of methods, and while cells and locks are held: nothing is lost, nothing hangs.

use std::cell::RefCell;
use std::sync::{Mutex, RwLock};
use std::thread;

use pyo3::prelude::*;
use pyo3::types::{PyCFunction, PyWeakrefMethods};
use pyo3_gc::PyGcTraversable;

use crate::support::{self, DropCounter, DropProbe, alone, collect, is_alive, object, visits, weak};

type Object = Py<PyAny>;

/// Its methods run Python code while they hold something.
#[pyclass(unsendable)]
#[derive(PyGcTraversable)]
struct Worker {
    field: Option<Object>,
    cell: RefCell<Option<Object>>,
    mutex: Mutex<Option<Object>>,
    rw_lock: RwLock<Option<Object>>,
    probe: DropProbe,
}

support::hooks!(Worker {
    fn shared(&self, work: &Bound<'_, PyAny>) -> PyResult<bool> {
        work.call0()?;
        Ok(self.field.is_some())
    }

    fn exclusive(&mut self, work: &Bound<'_, PyAny>) -> PyResult<bool> {
        work.call0()?;
        Ok(self.field.is_some())
    }

    fn with_cell_borrowed(&self, work: &Bound<'_, PyAny>) -> PyResult<bool> {
        let cell = self.cell.borrow();
        work.call0()?;
        Ok(cell.is_some())
    }

    fn with_cell_borrowed_mutably(&self, work: &Bound<'_, PyAny>) -> PyResult<bool> {
        let cell = self.cell.borrow_mut();
        work.call0()?;
        Ok(cell.is_some())
    }

    fn with_mutex(&self, work: &Bound<'_, PyAny>) -> PyResult<bool> {
        let contents = self.mutex.lock().unwrap();
        work.call0()?;
        Ok(contents.is_some())
    }

    fn with_rw_lock_read(&self, work: &Bound<'_, PyAny>) -> PyResult<bool> {
        let contents = self.rw_lock.read().unwrap();
        work.call0()?;
        Ok(contents.is_some())
    }

    fn with_rw_lock_written(&self, work: &Bound<'_, PyAny>) -> PyResult<bool> {
        let mut contents = self.rw_lock.write().unwrap();
        let taken = contents.take();
        work.call0()?;
        *contents = taken;
        Ok(contents.is_some())
    }

    /// Takes something out, and puts it back after a collection.
    fn with_field_taken(&mut self, work: &Bound<'_, PyAny>) -> PyResult<bool> {
        let taken = self.field.take();
        work.call0()?;
        self.field = taken;
        Ok(self.field.is_some())
    }
});

/// Calls a method of a worker that holds an object 4 times, and has it run a collection, to which it shows `seen` of
/// these references.
fn collect_during(method: &str, seen: usize) {
    alone(|py| {
        let (target, dropped) = (object(py), DropCounter::default());
        let own = || Some(target.clone().unbind());
        let worker = Worker {
            field: own(),
            cell: RefCell::new(own()),
            mutex: Mutex::new(own()),
            rw_lock: RwLock::new(own()),
            probe: dropped.probe(),
        };
        let worker = Bound::new(py, worker).unwrap().into_any();
        target.setattr("holder", &worker).unwrap();
        let weak = weak(&target);
        drop(target);

        let work = {
            let (weak, dropped) = (weak.clone().unbind(), dropped.clone());
            PyCFunction::new_closure(py, None, None, move |args, _| {
                let weak = weak.bind(args.py());
                let target = weak.upgrade().unwrap();
                assert_eq!(visits(&target.getattr("holder").unwrap(), &target), seen);
                drop(target);
                collect(args.py());
                assert!(is_alive(weak));
                assert_eq!(dropped.dropped(), 0);
            })
            .unwrap()
        };
        let kept: bool = worker.call_method1(method, (&work,)).unwrap().extract().unwrap();
        assert!(kept);
        drop(work);

        assert_eq!(visits(&worker, &weak.upgrade().unwrap()), 4, "nothing was cleared");
        drop(worker);
        collect(py);
        assert!(!is_alive(&weak), "collected once nothing is held");
        assert_eq!(dropped.dropped(), 1);
    });
}

macro_rules! tests {
    ($($method:ident: $seen:expr;)+) => {$(
        #[test]
        fn $method() {
            collect_during(stringify!($method), $seen);
        }
    )+};
}

tests! {
    shared: 4;
    // PyO3 shows nothing of what somebody may be changing.
    exclusive: 0;
    with_field_taken: 0;
    with_cell_borrowed: 4;
    with_cell_borrowed_mutably: 3;
    with_mutex: 3;
    with_rw_lock_read: 4;
    with_rw_lock_written: 3;
}

/// May be used by several threads.
#[pyclass]
#[derive(PyGcTraversable)]
struct Sent {
    field: Option<Object>,
    mutex: Mutex<Option<Object>>,
    probe: DropProbe,
}

support::hooks!(Sent {
    fn detached(&self, py: Python<'_>) -> bool {
        let mut contents = self.mutex.lock().unwrap();
        let taken = contents.take();
        py.detach(collect_on_another_thread);
        *contents = taken;
        contents.is_some()
    }

    fn detached_exclusive(&mut self, py: Python<'_>) -> bool {
        let taken = self.field.take();
        py.detach(collect_on_another_thread);
        self.field = taken;
        self.field.is_some()
    }
});

fn collect_on_another_thread() {
    thread::scope(|scope| scope.spawn(|| Python::attach(collect)).join().unwrap());
}

/// The method is at work, detached, while another thread collects.
fn collect_elsewhere_during(method: &str) {
    alone(|py| {
        let (target, dropped) = (object(py), DropCounter::default());
        let own = || Some(target.clone().unbind());
        let sent = Sent { field: own(), mutex: Mutex::new(own()), probe: dropped.probe() };
        let sent = Bound::new(py, sent).unwrap().into_any();
        target.setattr("holder", &sent).unwrap();
        let weak = weak(&target);
        drop(target);

        let kept: bool = sent.call_method0(method).unwrap().extract().unwrap();
        assert!(kept);
        assert!(is_alive(&weak));
        assert_eq!(dropped.dropped(), 0);
        assert_eq!(visits(&sent, &weak.upgrade().unwrap()), 2);

        drop(sent);
        py.detach(collect_on_another_thread);
        assert!(!is_alive(&weak));
        assert_eq!(dropped.dropped(), 1);
    });
}

#[test]
fn collected_elsewhere_while_a_lock_is_held() {
    collect_elsewhere_during("detached");
}

#[test]
fn collected_elsewhere_while_exclusive() {
    collect_elsewhere_during("detached_exclusive");
}
