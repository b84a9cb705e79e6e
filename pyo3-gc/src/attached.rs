//! Whether the thread is attached to the interpreter, asked without attaching it.

use pyo3::ffi;
use pyo3::prelude::*;

/// Runs `f` if the thread is attached. `None` if it isn't, or if there is no way to know: neither the limited API nor PyPy
/// has one.
#[inline]
pub(crate) fn if_attached<R>(f: impl FnOnce(Python<'_>) -> R) -> Option<R> {
    (is_attached() == Some(true)).then(|| {
        // SAFETY: the thread is attached, and the token is gone before anything could detach it.
        let py = unsafe { Python::assume_attached() };
        f(py)
    })
}

/// The same, but where there is no way to know, `PyThreadState_GetDict` answers, which up to CPython 3.11 says yes to a thread
/// that isn't attached while another one is: for what hooks by hand do, which run attached.
pub(crate) fn if_taken_for_attached<R>(f: impl FnOnce(Python<'_>) -> R) -> Option<R> {
    // SAFETY: may be called by any thread; null means that none is attached. [CPython, Python/pystate.c]
    let guess = || !unsafe { ffi::PyThreadState_GetDict() }.is_null();
    is_attached().unwrap_or_else(guess).then(|| {
        // SAFETY: the thread is attached, by what is said above, and the token is gone before anything could detach it.
        let py = unsafe { Python::assume_attached() };
        f(py)
    })
}

/// Neither `PyGILState_Check`, which says yes to everybody once there was a subinterpreter, nor `PyThreadState_GetDict`, which
/// up to 3.11 answers for whatever thread has the GIL. [CPython, Python/pystate.c]
#[inline]
fn is_attached() -> Option<bool> {
    /// For PyPy, whose binding lacks the function below.
    #[allow(dead_code, non_snake_case, reason = "hidden by the function of that name")]
    unsafe fn PyGILState_GetThisThreadState() -> Unknown {
        Unknown
    }
    {
        #[allow(
            unused_imports,
            clippy::wildcard_imports,
            reason = "to hide the function above, if it can"
        )]
        use pyo3::ffi::*;
        is_current(|| {
            // SAFETY: may be called by any thread while there is an interpreter, which whoever is attached to it proves.
            unsafe { PyGILState_GetThisThreadState() }
        })
    }
}

/// Whether somebody is attached, and that with the state of this thread: up to 3.11 all threads see the one that has the GIL.
fn is_current<S: ThreadState>(own: impl FnOnce() -> S) -> Option<bool> {
    S::current().map(|current| current.is_some_and(|current| current == own()))
}

#[allow(clippy::option_option, reason = "not known, nobody, and who")]
trait ThreadState: PartialEq + Sized {
    /// The state of the thread that is attached, if one is; `None` where there is no way to know.
    fn current() -> Option<Option<Self>>;
}

#[derive(PartialEq)]
struct Unknown;

impl ThreadState for Unknown {
    fn current() -> Option<Option<Self>> {
        None
    }
}

impl ThreadState for *mut ffi::PyThreadState {
    #[inline]
    fn current() -> Option<Option<Self>> {
        /// No address of a state.
        const UNKNOWN: *mut ffi::PyThreadState = std::ptr::dangling_mut::<u8>().cast();
        /// For the limited API, which lacks the function below.
        #[allow(dead_code, non_snake_case, reason = "hidden by the function of that name")]
        unsafe fn PyThreadState_GetUnchecked() -> *mut ffi::PyThreadState {
            UNKNOWN
        }
        {
            #[allow(
                unused_imports,
                clippy::wildcard_imports,
                reason = "to hide the function above, if it can"
            )]
            use pyo3::ffi::compat::*;
            // SAFETY: may be called by any thread, at any time, and then answers null.
            let current = unsafe { PyThreadState_GetUnchecked() };
            (current != UNKNOWN).then_some((!current.is_null()).then_some(current))
        }
    }
}

/// Whether only one thread at a time can be attached. Only then do objects begin with a reference count and a type, and
/// nothing else.
pub(crate) const HAS_GIL: bool = size_of::<ffi::PyObject>() == 2 * size_of::<usize>();
