//! Who is told of changes.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::errors::GraphError;
use crate::event::Event;

/// Callbacks, in the order of their arrival. Part of a class, and so with a derive of its own.
#[derive(Default, pyo3_gc::PyGcTraversable)]
pub(crate) struct Observers {
    callbacks: Vec<Py<PyAny>>,
}

impl Observers {
    pub(crate) fn add(&mut self, callback: Py<PyAny>) {
        self.callbacks.push(callback);
    }

    /// Takes the very object out, for the caller to drop.
    pub(crate) fn take(&mut self, callback: &Py<PyAny>) -> Option<Py<PyAny>> {
        let position = self.callbacks.iter().position(|known| known.is(callback))?;
        Some(self.callbacks.remove(position))
    }

    pub(crate) fn snapshot(&self, py: Python<'_>) -> Vec<Py<PyAny>> {
        self.callbacks.iter().map(|callback| callback.clone_ref(py)).collect()
    }
}

/// Refuses what can't be called, at once rather than at the first change.
pub(crate) fn check_callable(callback: &Bound<'_, PyAny>) -> PyResult<()> {
    if callback.is_callable() {
        return Ok(());
    }
    Err(PyTypeError::new_err(format!("an observer has to be callable, which {} is not", callback.repr()?)))
}

/// The one of `callbacks` that is meant: equal, since each access to a method makes a new object. Runs Python code.
pub(crate) fn find(callbacks: Vec<Py<PyAny>>, wanted: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
    for callback in callbacks {
        if wanted.eq(&callback)? {
            return Ok(callback);
        }
    }
    Err(GraphError::new_err(format!("{} is no observer", wanted.repr()?)))
}

/// Tells all of `callbacks`, of whatever they raise. The first exception is raised once all are told; any further one
/// goes to `sys.unraisablehook`.
pub(crate) fn notify(py: Python<'_>, callbacks: &[Py<PyAny>], event: impl FnOnce() -> Event) -> PyResult<()> {
    if callbacks.is_empty() {
        return Ok(());
    }
    // Not `Bound::new`, which would make an object of the base class, without the variant's attributes.
    let event = event().into_pyobject(py)?;
    let mut outcome = Ok(());
    for callback in callbacks {
        match (callback.call1(py, (&event,)), &outcome) {
            (Ok(_), _) => {}
            (Err(error), Ok(())) => outcome = Err(error),
            (Err(error), Err(_)) => error.write_unraisable(py, Some(callback.bind(py))),
        }
    }
    outcome
}
