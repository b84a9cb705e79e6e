//! What the tests in a real interpreter share, beside `pyo3_gc::testing`.

#![allow(dead_code, unused_imports, unused_macros, reason = "each test uses what it needs")]

pub(crate) mod field;
pub(crate) mod key;
pub(crate) mod process;
pub(crate) mod stack;

use std::ffi::{c_int, c_void};
use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyType, PyWeakrefReference};
use pyo3_gc::testing::{self, ClassReport};
pub(crate) use pyo3_gc::testing::{DropCounter, DropProbe};

/// Whether only one thread at a time is attached.
pub(crate) const HAS_GIL: bool = size_of::<ffi::PyObject>() == 2 * size_of::<usize>();

/// Whether what is dropped or cleared by hand can be known to die: not through the stable ABI, where a thread can't ask whether
/// it is attached.
pub(crate) const HOLDS_BY_HAND: bool = HAS_GIL && !cfg!(Py_LIMITED_API);

/// Collects until nothing more goes.
pub(crate) fn collect(py: Python<'_>) {
    testing::collect(py).unwrap();
}

/// A fresh Python object with a `__dict__`, which can hold anything and be referred to weakly.
pub(crate) fn object(py: Python<'_>) -> Bound<'_, PyAny> {
    let code = c"type('Object', (), {})()";
    py.eval(code, None, None).unwrap()
}

/// A weak reference, to see whether `object` is still alive.
pub(crate) fn weak<'py>(object: &Bound<'py, PyAny>) -> Bound<'py, PyWeakrefReference> {
    PyWeakrefReference::new(object).unwrap()
}

pub(crate) fn is_alive(weak: &Bound<'_, PyWeakrefReference>) -> bool {
    use pyo3::types::PyWeakrefMethods;
    weak.upgrade().is_some()
}

/// How often `owner`'s traverse visits `object`, by the answer of `gc.get_referents`.
pub(crate) fn visits(owner: &Bound<'_, PyAny>, object: &Bound<'_, PyAny>) -> usize {
    let gc = owner.py().import("gc").unwrap();
    let referents = gc.call_method1("get_referents", (owner,)).unwrap().cast_into::<PyList>().unwrap();
    referents.iter().filter(|referent| referent.is(object)).count()
}

/// How many instances of `class` are still there. (A weak reference tells less: it dies when its object is found to be
/// garbage, whether or not that can be cleared.)
pub(crate) fn instances(class: &Bound<'_, PyType>) -> usize {
    let objects = class.py().import("gc").unwrap().call_method0("get_objects").unwrap();
    let objects = objects.cast_into::<PyList>().unwrap();
    objects.iter().filter(|object| object.get_type().is(class)).count()
}

/// `holder` shows each of the `own` references to `target` that it owns; a cycle through both is kept while somebody
/// holds it, and then collected.
pub(crate) fn cycle_is_collected(target: Bound<'_, PyAny>, holder: Bound<'_, PyAny>, own: usize) {
    let py = target.py();
    assert_eq!(visits(&holder, &target), own);
    target.setattr("holder", &holder).unwrap();
    let classes = [target.get_type(), holder.get_type()];
    let count = || classes.each_ref().map(|class| instances(class));
    let [targets, holders] = count();
    drop(target);
    collect(py);
    assert_eq!(count(), [targets, holders], "somebody still holds it");
    drop(holder);
    collect(py);
    assert_eq!(count(), [targets - 1, holders - 1], "it leaks");
}

/// The reference count, without the reference that a call of `sys.getrefcount` would add.
pub(crate) fn refcount(object: &Bound<'_, PyAny>) -> isize {
    // SAFETY: the object is alive, since `object` owns a reference to it, and the thread is attached.
    unsafe { ffi::Py_REFCNT(object.as_ptr()) }
}

/// Calls the `tp_clear` of an object that is alive.
pub(crate) fn tp_clear(object: &Bound<'_, PyAny>) {
    // SAFETY: the class of a live object is alive, and made by PyO3 or in Python a heap type.
    let slot = unsafe { ffi::PyType_GetSlot(object.get_type().as_type_ptr(), ffi::Py_tp_clear) };
    assert!(!slot.is_null(), "the class has no tp_clear");
    // SAFETY: this is the type of that slot.
    let clear = unsafe { std::mem::transmute::<*mut c_void, ffi::inquiry>(slot) };
    // SAFETY: the object is of the class, alive, and the thread attached.
    assert_eq!(unsafe { clear(object.as_ptr()) }, 0);
}

/// Runs `test` attached, and no other test of this process meanwhile: a collection that one thread asks for while
/// another's is running does nothing. Without the automatic collector, so that only the test decides when.
pub(crate) fn alone<R>(test: impl FnOnce(Python<'_>) -> R) -> R {
    let _turn = turn();
    Python::attach(|py| {
        py.import("gc").unwrap().call_method0("disable").unwrap();
        test(py)
    })
}

/// Held by the one test of a program that is [alone].
fn turn() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Nothing is wrong, and nothing was left out.
#[track_caller]
pub(crate) fn assert_all_tried(report: PyResult<ClassReport>, sentinels: usize) {
    let report = report.unwrap();
    report.assert_correct();
    assert_eq!(report.unchecked, []);
    assert_eq!(report.sentinels.len(), sentinels);
}

/// What a call of `owner`'s `tp_traverse` did, with a visitor that stops it at the visit `stop_at.0` (the first is 1)
/// by returning `stop_at.1`.
pub(crate) struct Walk {
    /// What `tp_traverse` returned.
    pub(crate) returned: c_int,
    /// The address and the reference count of each object, as the visitor met them.
    pub(crate) visits: Vec<(usize, isize)>,
}

impl Walk {
    pub(crate) fn of(owner: &Bound<'_, PyAny>, stop_at: Option<(usize, c_int)>) -> Self {
        struct Log {
            visits: Vec<(usize, isize)>,
            stop_at: Option<(usize, c_int)>,
        }

        unsafe extern "C" fn visit(object: *mut ffi::PyObject, log: *mut c_void) -> c_int {
            // SAFETY: `log` is what was passed to `tp_traverse` below, and nobody else borrows it meanwhile.
            let log = unsafe { &mut *log.cast::<Log>() };
            // SAFETY: what is visited is alive, and the thread is attached.
            log.visits.push((object as usize, unsafe { ffi::Py_REFCNT(object) }));
            match log.stop_at {
                Some((at, error)) if at == log.visits.len() => error,
                _ => 0,
            }
        }

        // SAFETY: the class of a live object is alive, and made by PyO3 a heap type.
        let slot = unsafe { ffi::PyType_GetSlot(owner.get_type().as_type_ptr(), ffi::Py_tp_traverse) };
        assert!(!slot.is_null(), "the class has no tp_traverse");
        // SAFETY: this is the type of that slot.
        let traverse = unsafe { std::mem::transmute::<*mut c_void, ffi::traverseproc>(slot) };
        let mut log = Log { visits: Vec::new(), stop_at };
        // SAFETY: `visit` takes `log` for its argument, which outlives the call.
        let returned = unsafe { traverse(owner.as_ptr(), visit, (&raw mut log).cast()) };
        Self { returned, visits: log.visits }
    }
}

/// `__traverse__` and `__clear__`, written by hand as for PyO3's own macros, and more methods in braces.
macro_rules! hooks {
    ($class:ty $({ $($methods:tt)* })?) => {
        #[pyo3::pymethods]
        impl $class {
            fn __traverse__(&self, visit: pyo3::PyVisit<'_>) -> Result<(), pyo3::PyTraverseError> {
                pyo3_gc::PyGcTraversable::traverse(self, visit)
            }

            fn __clear__(&mut self) {
                pyo3_gc::PyGcTraversable::clear(self);
            }

            $($($methods)*)?
        }
    };
}

/// As [`hooks!`], for a frozen class.
macro_rules! frozen_hooks {
    ($class:ty $({ $($methods:tt)* })?) => {
        #[pyo3::pymethods]
        impl $class {
            fn __traverse__(&self, visit: pyo3::PyVisit<'_>) -> Result<(), pyo3::PyTraverseError> {
                pyo3_gc::PyGcTraversable::traverse(self, visit)
            }

            fn __clear__(&self) {
                pyo3_gc::PyGcTraversable::clear_interior(self);
            }

            $($($methods)*)?
        }
    };
}

pub(crate) use {frozen_hooks, hooks};
