use std::convert::Infallible;
use std::error::Error;
use std::fmt;

use pyo3::PyVisit;
use pyo3::exceptions::PyBaseException;
use pyo3::prelude::*;

use crate::traversable::TraverseResult;
use crate::{Graveyard, PyGcTraversable};

/// A Python exception that can stand in a field: a [`PyErr`] that is normalised when it is stored, so that the collector
/// can be shown its exception.
///
/// An exception refers to its traceback, which refers to frames, which refer to their locals: a stored one easily leads
/// back to the object that stores it. A plain `PyErr` hides all of that, and the cycle leaks.
///
/// Converting a `PyErr` and printing attach to the interpreter. Re-raising keeps type, value and traceback.
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
pub struct PyGcErr {
    value: Py<PyBaseException>,
}

impl PyGcErr {
    /// The exception.
    #[must_use]
    pub fn value(&self) -> &Py<PyBaseException> {
        &self.value
    }

    /// Another reference to the same exception.
    #[must_use]
    pub fn clone_ref(&self, py: Python<'_>) -> Self {
        Self { value: self.value.clone_ref(py) }
    }

    /// The error to return to Python, with the traceback that it came with.
    #[must_use]
    pub fn into_err(self, py: Python<'_>) -> PyErr {
        PyErr::from_value(self.value.into_bound(py).into_any())
    }
}

/// Another reference to the same exception, as [`clone_ref`](PyGcErr::clone_ref) gives it.
///
/// # Panics
///
/// While the thread isn't attached to the interpreter, as the clone of a [`Py`] does.
#[cfg(feature = "py-clone")]
#[cfg_attr(docsrs, doc(cfg(feature = "py-clone")))]
impl Clone for PyGcErr {
    fn clone(&self) -> Self {
        Self { value: self.value.clone() }
    }
}

/// Normalises the error, for which it attaches to the interpreter: an exception that was only described so far is
/// created now. Should that fail, the error that it fails with is stored.
impl From<PyErr> for PyGcErr {
    fn from(error: PyErr) -> Self {
        Python::attach(|py| Self { value: error.into_value(py) })
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

// SAFETY: 1 and 4: one reference, visited once. 2: `PyVisit::call` only passes the pointer on. 3: passed on. 5: true.
// 6: nothing is cleared: an error always has an exception, which CPython clears itself.
unsafe impl PyGcTraversable for PyGcErr {
    const MAY_CONTAIN_CYCLES: bool = true;

    #[inline]
    fn traverse(&self, visit: PyVisit<'_>) -> TraverseResult {
        visit.call(&self.value)
    }

    fn clear(&mut self) {}

    fn bury<'g>(self, graveyard: &mut Graveyard<'g>)
    where
        Self: Sized + 'g,
    {
        graveyard.bury_object(self.value);
    }
}

impl fmt::Display for PyGcErr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Python::attach(|py| self.clone_ref(py).into_err(py).fmt(f))
    }
}

impl fmt::Debug for PyGcErr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Python::attach(|py| f.debug_tuple("PyGcErr").field(&self.clone_ref(py).into_err(py)).finish())
    }
}

impl Error for PyGcErr {}
