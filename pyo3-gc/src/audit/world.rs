//! Nothing else runs while the audit looks: by the GIL, or, in a free-threaded build, by stopping the other threads as
//! the collector itself does.

/// Runs `work` while every other thread that is attached stands still. `work` creates no Python object and runs no
/// Python code.
#[cfg(not(all(Py_GIL_DISABLED, not(windows))))]
pub(super) fn stopped<R>(_: pyo3::Python<'_>, work: impl FnOnce() -> R) -> R {
    work()
}

/// `PyUnstable_GC_VisitObjects` stops the world for the time of its callbacks [CPython, Python/gc_free_threading.c]; the
/// first callback does all of the work. (Not on Windows, where PyO3 binds the names of libpython that it knows.)
#[cfg(all(Py_GIL_DISABLED, not(windows)))]
pub(super) fn stopped<R>(_: pyo3::Python<'_>, work: impl FnOnce() -> R) -> R {
    use std::ffi::{c_int, c_void};

    use pyo3::ffi::PyObject;

    unsafe extern "C" {
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
    }

    unsafe extern "C" fn callback<R, W: FnOnce() -> R>(_: *mut PyObject, job: *mut c_void) -> c_int {
        // SAFETY: `job` is what is passed below, borrowed for the time of the call.
        let job = unsafe { &mut *job.cast::<Job<W, R>>() };
        job.run();
        0 // no further objects
    }

    fn visit_objects<R, W: FnOnce() -> R>(job: &mut Job<W, R>) {
        // SAFETY: the thread is attached, by the token of `stopped`; `callback` gets the job that it casts to.
        unsafe { PyUnstable_GC_VisitObjects(callback::<R, W>, std::ptr::from_mut(job).cast()) };
    }

    let mut job = Job { work: Some(work), result: None };
    visit_objects(&mut job);
    job.run(); // had there been no object
    job.result.expect("the work was done")
}
