//! Nothing else runs while the audit looks: by the GIL, or, in a free-threaded build, by stopping the other threads as
//! the collector itself does.

use std::ffi::{c_int, c_void};

use pyo3::Python;
use pyo3::ffi::PyObject;

use crate::heap::FREE_THREADED;

/// Runs `work` while every other thread that is attached stands still. `work` creates no Python object and runs no
/// Python code.
pub(super) fn stop_the_world<R>(_: Python<'_>, work: impl FnOnce() -> R) -> R {
    // Not on Windows, where PyO3 binds the names of libpython that it knows.
    type Here = World<{ FREE_THREADED && cfg!(not(windows)) }>;
    Here::stopped(work)
}

/// Whether the other threads have to be stopped, by the type, not by an `if`: older versions of CPython don't have the
/// function that `World<true>` calls, and must not be asked to link it.
struct World<const TO_BE_STOPPED: bool>;

trait Stop {
    fn stopped<R, W: FnOnce() -> R>(work: W) -> R;
}

impl Stop for World<false> {
    fn stopped<R, W: FnOnce() -> R>(work: W) -> R {
        work()
    }
}

unsafe extern "C" {
    /// Stops the world for the time of its callbacks. [CPython, `Python/gc_free_threading.c`]
    fn PyUnstable_GC_VisitObjects(
        callback: unsafe extern "C" fn(*mut PyObject, *mut c_void) -> c_int,
        arg: *mut c_void,
    );
}

struct Job<W, R> {
    work: Option<W>,
    result: Option<R>,
}

impl<R, W: FnOnce() -> R> Job<W, R> {
    fn run(&mut self) {
        if let Some(work) = self.work.take() {
            self.result = Some(work());
        }
    }

    /// Called back with the world stopped; the first call does all of the work.
    unsafe extern "C" fn callback(_: *mut PyObject, job: *mut c_void) -> c_int {
        // SAFETY: `job` is what is passed below, borrowed for the time of the call.
        let job = unsafe { &mut *job.cast::<Self>() };
        job.run();
        0 // no further objects
    }
}

impl Stop for World<true> {
    fn stopped<R, W: FnOnce() -> R>(work: W) -> R {
        let mut job = Job { work: Some(work), result: None };
        // SAFETY: the thread is attached, by the token of `stopped`; the callback gets the job that it casts to.
        unsafe { PyUnstable_GC_VisitObjects(Job::<W, R>::callback, std::ptr::from_mut(&mut job).cast()) };
        job.run(); // had there been no object
        job.result.expect("the work was done")
    }
}
