//! What the tests in a real interpreter share: objects to hold, probes that tell whether something was dropped, and
//! a collection that goes on until nothing more goes.

#![allow(dead_code, reason = "each test uses what it needs")]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyWeakrefReference};

/// Collects until a round finds nothing more; free-threaded builds need several.
pub fn collect(py: Python<'_>) {
    let gc = py.import("gc").unwrap();
    for _ in 0..10 {
        let found: usize = gc.call_method0("collect").unwrap().extract().unwrap();
        if found == 0 {
            return;
        }
    }
}

/// A fresh Python object with a `__dict__`, which can hold anything and be referred to weakly.
pub fn object(py: Python<'_>) -> Bound<'_, PyAny> {
    let code = c"type('Object', (), {})()";
    py.eval(code, None, None).unwrap()
}

/// Counts how often its [`DropProbe`]s are dropped.
#[derive(Clone, Default)]
pub struct DropCounter(Arc<AtomicUsize>);

/// A field that tells when the value that it stands in is dropped.
pub struct DropProbe(Arc<AtomicUsize>);
pyo3_gc::leaf!(DropProbe);

impl DropCounter {
    pub fn probe(&self) -> DropProbe {
        DropProbe(Arc::clone(&self.0))
    }

    pub fn count(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }
}

impl Drop for DropProbe {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

/// A weak reference, to see whether `object` is still alive.
pub fn weak<'py>(object: &Bound<'py, PyAny>) -> Bound<'py, PyWeakrefReference> {
    PyWeakrefReference::new(object).unwrap()
}

pub fn is_alive(weak: &Bound<'_, PyWeakrefReference>) -> bool {
    use pyo3::types::PyWeakrefMethods;
    weak.upgrade().is_some()
}

/// How often `owner`'s traverse visits `object`, by the answer of `gc.get_referents`.
pub fn visits(owner: &Bound<'_, PyAny>, object: &Bound<'_, PyAny>) -> usize {
    let gc = owner.py().import("gc").unwrap();
    let referents = gc.call_method1("get_referents", (owner,)).unwrap().cast_into::<PyList>().unwrap();
    referents.iter().filter(|referent| referent.is(object)).count()
}

/// The reference count, without the reference that a call of `sys.getrefcount` would add.
pub fn refcount(object: &Bound<'_, PyAny>) -> isize {
    // SAFETY: the object is alive, since `object` owns a reference to it, and the thread is attached.
    unsafe { ffi::Py_REFCNT(object.as_ptr()) }
}
