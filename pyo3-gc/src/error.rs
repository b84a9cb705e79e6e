use std::convert::Infallible;
use std::error::Error;
use std::fmt;

use pyo3::exceptions::PyBaseException;
use pyo3::prelude::*;
use pyo3::types::PyTraceback;
use pyo3::{CastError, PyVisit, ffi};

use crate::traversable::TraverseResult;
use crate::{Graveyard, PyGcTraversable};

/// A Python exception that can stand in a field: a [`PyErr`] that is normalised when it is stored, so that the collector
/// can be shown its exception.
///
/// An exception refers to its traceback, which refers to frames, which refer to their locals: a stored one easily leads
/// back to the object that stores it. A plain `PyErr` hides all of that, and the cycle leaks.
///
/// Converting a `PyErr` and printing attach to the interpreter.
///
/// Raising it again keeps type, value and traceback. Each raise starts from the traceback that the error was stored with, as
/// a future of `asyncio` does it ([`Future.result`](https://github.com/python/cpython/blob/3.13/Lib/asyncio/futures.py)): an
/// error that is raised a thousand times keeps its length. The exception itself shows where it was raised last, and keeps
/// the locals of that caller alive until it is raised again.
///
/// With `#[pyo3(get, set)]` the exception of a field is read and written; what is written is stored with the traceback that
/// it has then.
///
/// # Examples
///
/// ```
/// use pyo3::prelude::*;
/// use pyo3::exceptions::PyValueError;
/// use pyo3_gc::{PyGcErr, pyclass, pymethods};
///
/// #[pyclass]
/// struct Attempt {
///     result: Option<Result<Py<PyAny>, PyGcErr>>,
/// }
///
/// #[pymethods]
/// impl Attempt {
///     fn run(&mut self, py: Python<'_>, callable: &Bound<'_, PyAny>) {
///         self.result = Some(callable.call0().map(Bound::unbind).map_err(PyGcErr::from));
///     }
///
///     fn get(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
///         match &self.result {
///             None => Ok(None),
///             Some(Ok(value)) => Ok(Some(value.clone_ref(py))),
///             Some(Err(error)) => Err(error.clone_ref(py).into_err(py)),
///         }
///     }
/// }
///
/// let error = PyGcErr::from(PyValueError::new_err("too deep"));
/// assert_eq!(error.to_string(), "ValueError: too deep");
/// ```
#[cfg_attr(feature = "py-clone", derive(Clone))]
pub struct PyGcErr {
    value: Py<PyBaseException>,
    /// Of the exception when it was stored; each raise gives it another.
    traceback: Option<Py<PyTraceback>>,
}

impl PyGcErr {
    /// The exception.
    #[must_use]
    pub fn value(&self) -> &Py<PyBaseException> {
        &self.value
    }

    /// Another reference to the same exception and to the traceback that it was stored with.
    #[must_use]
    pub fn clone_ref(&self, py: Python<'_>) -> Self {
        let traceback = self.traceback.as_ref().map(|traceback| traceback.clone_ref(py));
        Self { value: self.value.clone_ref(py), traceback }
    }

    /// The error to return to Python. Gives the exception the traceback back that it was stored with.
    #[must_use]
    pub fn into_err(self, py: Python<'_>) -> PyErr {
        let traceback = self.traceback.map_or_else(|| py.None(), Py::into_any);
        // SAFETY: an exception, a traceback or `None`, both alive, and the thread attached.
        let status = unsafe { ffi::PyException_SetTraceback(self.value.as_ptr(), traceback.as_ptr()) };
        debug_assert_eq!(status, 0, "it takes any traceback");
        PyErr::from_value(self.value.into_bound(py).into_any())
    }

    /// With the traceback that the exception has now.
    fn new(value: Bound<'_, PyBaseException>) -> Self {
        let traceback = PyErr::from_value(value.clone().into_any()).traceback(value.py()).map(Bound::unbind);
        Self { value: value.unbind(), traceback }
    }

    /// The error as it is, for printing: somebody may be raising it.
    fn as_err(&self, py: Python<'_>) -> PyErr {
        PyErr::from_value(self.value.bind(py).clone().into_any())
    }
}

/// Normalises the error, for which it attaches to the interpreter: an exception that was only described so far is
/// created now. Should that fail, the error that it fails with is stored.
impl From<PyErr> for PyGcErr {
    fn from(error: PyErr) -> Self {
        Python::attach(|py| Self::new(error.into_value(py).into_bound(py)))
    }
}

/// Attaches to the interpreter.
impl From<PyGcErr> for PyErr {
    fn from(error: PyGcErr) -> Self {
        Python::attach(|py| error.into_err(py))
    }
}

impl<'py> IntoPyObject<'py> for PyGcErr {
    type Target = PyBaseException;
    type Output = Bound<'py, PyBaseException>;
    type Error = Infallible;

    fn into_pyobject(self, py: Python<'py>) -> Result<Self::Output, Self::Error> {
        Ok(self.value.into_bound(py))
    }
}

/// Lets `#[pyo3(get)]` show the exception of a field.
impl<'py> IntoPyObject<'py> for &PyGcErr {
    type Target = PyBaseException;
    type Output = Bound<'py, PyBaseException>;
    type Error = Infallible;

    fn into_pyobject(self, py: Python<'py>) -> Result<Self::Output, Self::Error> {
        Ok(self.value.bind(py).clone())
    }
}

/// Lets `#[pyo3(set)]` take an exception for a field.
impl<'a, 'py> FromPyObject<'a, 'py> for PyGcErr {
    type Error = CastError<'a, 'py>;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> Result<Self, Self::Error> {
        object.cast::<PyBaseException>().map(|value| Self::new(value.to_owned()))
    }
}

// SAFETY: 1 and 4: two references, each visited once. 2: `PyVisit::call` only passes the pointer on. 3: passed on. 5: true.
// 6: the traceback goes, so that the next raise starts from none. The exception stays: an error always has one, which
// CPython clears itself.
unsafe impl PyGcTraversable for PyGcErr {
    const MAY_CONTAIN_CYCLES: bool = true;
    const NEEDS_NO_BOX: bool = true;

    #[inline]
    fn traverse(&self, visit: PyVisit<'_>) -> TraverseResult {
        visit.call(&self.value)?;
        visit.call(&self.traceback)
    }

    fn clear(&mut self) {
        self.traceback = None;
    }

    fn clear_into<'g>(&mut self, graveyard: &mut Graveyard<'g>)
    where
        Self: 'g,
    {
        if let Some(traceback) = self.traceback.take() {
            graveyard.bury_object(traceback);
        }
    }

    fn bury<'g>(self, graveyard: &mut Graveyard<'g>)
    where
        Self: Sized + 'g,
    {
        graveyard.bury_object(self.value);
        if let Some(traceback) = self.traceback {
            graveyard.bury_object(traceback);
        }
    }
}

impl fmt::Display for PyGcErr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Python::attach(|py| self.as_err(py).fmt(f))
    }
}

impl fmt::Debug for PyGcErr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Python::attach(|py| f.debug_tuple("PyGcErr").field(&self.as_err(py)).finish())
    }
}

impl Error for PyGcErr {}
