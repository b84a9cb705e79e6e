//! One test at a time: a collection that one thread asks for while another's is running does nothing, and one that
//! comes unasked spoils what a test is about to observe.

use std::cell::Cell;
use std::sync::{Mutex, PoisonError};

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::MutexExt;

thread_local! {
    /// Whether this thread is the one.
    static INSIDE: Cell<bool> = const { Cell::new(false) };
}

/// Runs `work` when no other thread is in here. Calls from within `work` don't wait.
pub(super) fn one_at_a_time<R>(py: Python<'_>, work: impl FnOnce() -> R) -> R {
    static SERIAL: Mutex<()> = Mutex::new(());

    struct Inside;
    impl Drop for Inside {
        fn drop(&mut self) {
            INSIDE.set(false);
        }
    }

    if INSIDE.get() {
        return work();
    }
    let _serial = SERIAL.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
    INSIDE.set(true);
    let _inside = Inside;
    work()
}

/// [`one_at_a_time`], with the automatic collection switched off.
pub(super) fn undisturbed<R>(py: Python<'_>, work: impl FnOnce() -> PyResult<R>) -> PyResult<R> {
    /// Switches it on again, if it was on.
    struct Enable<'py>(Option<Bound<'py, PyAny>>);
    impl Drop for Enable<'_> {
        fn drop(&mut self) {
            if let Some(gc) = &self.0 {
                if let Err(error) = gc.call_method0(intern!(gc.py(), "enable")) {
                    error.write_unraisable(gc.py(), Some(gc));
                }
            }
        }
    }

    one_at_a_time(py, || {
        let gc = py.import(intern!(py, "gc"))?.into_any();
        let was_on = gc.call_method0(intern!(py, "isenabled"))?.is_truthy()?;
        gc.call_method0(intern!(py, "disable"))?;
        let _enable = Enable(was_on.then_some(gc));
        work()
    })
}
