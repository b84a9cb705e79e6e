//! Whether the thread is attached to the interpreter, asked without attaching it.

use pyo3::ffi;
use pyo3::prelude::*;

/// Runs `f` if the thread is attached. `None` if it isn't, or if there is no way to know: neither the limited API nor PyPy
/// has one.
#[inline]
pub(crate) fn if_attached<R>(f: impl FnOnce(Python<'_>) -> R) -> Option<R> {
    is_attached().then(|| {
        // SAFETY: the thread is attached, and the token is gone before anything could detach it.
        let py = unsafe { Python::assume_attached() };
        f(py)
    })
}

/// Neither `PyGILState_Check`, which says yes to everybody once there was a subinterpreter, nor `PyThreadState_GetDict`,
/// which up to 3.11 answers for whatever thread has the GIL.
#[inline]
fn is_attached() -> bool {
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
        // SAFETY: may be called by any thread, at any time.
        unsafe { PyGILState_GetThisThreadState() }.matches_current()
    }
}

/// The state that a thread has, be it attached or not.
trait OwnState {
    /// Whether it is attached.
    fn matches_current(self) -> bool;
}

struct Unknown;

impl OwnState for Unknown {
    fn matches_current(self) -> bool {
        false
    }
}

impl OwnState for *mut ffi::PyThreadState {
    #[inline]
    fn matches_current(self) -> bool {
        /// For the limited API, which lacks the function below.
        #[allow(dead_code, non_snake_case, reason = "hidden by the function of that name")]
        unsafe fn PyThreadState_GetUnchecked() -> *mut ffi::PyThreadState {
            std::ptr::null_mut()
        }
        {
            #[allow(
                unused_imports,
                clippy::wildcard_imports,
                reason = "to hide the function above, if it can"
            )]
            use pyo3::ffi::compat::*;
            // SAFETY: may be called by any thread, at any time.
            !self.is_null() && self == unsafe { PyThreadState_GetUnchecked() }
        }
    }
}

/// Whether only one thread at a time can be attached. Only then do objects begin with a reference count and a type, and
/// nothing else.
pub(crate) const HAS_GIL: bool = size_of::<ffi::PyObject>() == 2 * size_of::<usize>();
