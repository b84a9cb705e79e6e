//! Symptom: clearing a field behind a lock attached to the interpreter, which drops what was dropped while detached, and
//! so ran a destructor that wanted the same lock.

use std::sync::Mutex;
use std::thread;

use pyo3::prelude::*;
use pyo3_gc::{PyGcTraversable, pyclass, pymethods};

use crate::support::alone;

#[pyclass(frozen)]
struct Cache {
    last: Mutex<Py<PyAny>>,
    /// Whether `last` was free when a destructor looked.
    was_free: Mutex<Vec<bool>>,
}

#[pymethods]
impl Cache {
    fn touch(&self) {
        let is_free = self.last.try_lock().is_ok();
        self.was_free.lock().unwrap().push(is_free);
    }
}

#[test]
fn a_destructor_that_was_put_off_does_not_run_under_the_lock() {
    alone(|py| {
        let cache = Cache { last: Mutex::new(py.None()), was_free: Mutex::new(Vec::new()) };
        let cache = Bound::new(py, cache).unwrap();
        let class =
            py.eval(c"type('Value', (), {'__del__': lambda self: self.cache.touch()})", None, None).unwrap();
        let value = class.call0().unwrap();
        value.setattr("cache", &cache).unwrap();
        let value = value.unbind();
        thread::spawn(move || drop(value)).join().unwrap(); // not attached: put off

        *cache.get().last.lock().unwrap() = class.unbind();
        cache.get().last.clear_interior();
        assert!(cache.get().last.lock().unwrap().is_none(py));
        Python::attach(|_| ());
        assert_eq!(*cache.get().was_free.lock().unwrap(), [true]);
    });
}

/// Without an interpreter to take `None` from, a bare `Py` stays what it is.
#[test]
fn a_detached_thread_leaves_it_in_place() {
    alone(|py| {
        let mut field = Mutex::new(crate::support::object(py).unbind());
        py.detach(|| field.clear());
        assert!(!field.get_mut().unwrap().is_none(py));
        field.clear();
        assert!(field.get_mut().unwrap().is_none(py));
    });
}
