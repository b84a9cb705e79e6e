//! What the check hands to the instances, and knows the references of.

use std::cell::{Cell, RefCell};

use pyo3::exceptions::PyValueError;
use pyo3::ffi;
use pyo3::prelude::*;

use super::DropCounter;
use crate::heap::Object as Live;

/// An object's address, to be compared.
pub(super) type Object = *mut ffi::PyObject;

/// Hands out the objects that an instance is built with, by names that stand in the report.
pub struct Sentinels<'py> {
    py: Python<'py>,
    /// Whether each call of [`object`](Self::object) makes one, also under the same name.
    distinct: bool,
    list: RefCell<Vec<Sentinel<'py>>>,
    asked_twice: Cell<bool>,
}

/// An instance, and what it was built with.
pub(super) struct Specimen<'py> {
    pub(super) instance: Bound<'py, PyAny>,
    pub(super) sentinels: Vec<Sentinel<'py>>,
    /// Whether it was built with the same object in several places.
    pub(super) shares: bool,
}

/// Builds an instance.
pub(super) type Make<'a, 'py> = &'a mut dyn FnMut(&Sentinels<'py>) -> PyResult<Bound<'py, PyAny>>;

impl<'py> Specimen<'py> {
    /// `distinct`: with a different object in each place.
    pub(super) fn build(py: Python<'py>, make: Make<'_, 'py>, distinct: bool) -> PyResult<Self> {
        let sentinels = Sentinels { py, distinct, list: RefCell::default(), asked_twice: Cell::new(false) };
        let instance = make(&sentinels)?;
        let Sentinels { list, asked_twice, .. } = sentinels;
        Ok(Self { instance, sentinels: list.into_inner(), shares: asked_twice.get() })
    }
}

/// An object that nobody else knows, so that each of its references is accounted for.
pub(super) struct Sentinel<'py> {
    pub(super) name: String,
    pub(super) object: Bound<'py, PyAny>,
    /// If it is one of ours.
    pub(super) drops: Option<DropCounter>,
}

impl<'py> Sentinels<'py> {
    /// A reference to the sentinel called `name`, which is made at the first call. It is as
    /// [`DropCounter::object`] says: callable, and with a place for a `peer`.
    ///
    /// Where several references to one sentinel are asked for, one more instance is built, with an object for each: only
    /// so can it be seen that one of two fields is visited twice and the other one never.
    ///
    /// # Errors
    ///
    /// `MemoryError`.
    ///
    /// # Examples
    ///
    /// See [`check_class`](super::check_class).
    pub fn object(&self, name: &str) -> PyResult<Py<PyAny>> {
        if let Some(known) = self.get(name) {
            self.asked_twice.set(true);
            if !self.distinct {
                return Ok(known.unbind());
            }
        }
        let drops = DropCounter::new();
        let object = drops.object(self.py)?;
        self.add(name, object.clone(), Some(drops));
        Ok(object.unbind())
    }

    /// A reference to an object of yours, which becomes the sentinel called `name`: for fields that don't take any
    /// object, such as a `Py<Node>` or a `Py<PyDict>`. Call `clone_ref` for more references to it.
    ///
    /// The class of `object` should have passed a check of its own: what hides behind it is taken for the instance's.
    ///
    /// # Errors
    ///
    /// `ValueError`, if there are other references to `object`, which would be taken for the instance's, or if `name` is
    /// taken.
    ///
    /// # Examples
    ///
    /// ```
    /// use pyo3::prelude::*;
    /// use pyo3::types::PyDict;
    /// use pyo3_gc::testing::check_class;
    /// use pyo3_gc::{pyclass, pymethods};
    ///
    /// #[pyclass]
    /// struct Scope {
    ///     variables: Option<Py<PyDict>>,
    /// }
    ///
    /// #[pymethods]
    /// impl Scope {}
    ///
    /// # fn main() -> PyResult<()> {
    /// Python::attach(|py| {
    ///     let report = check_class(py, |sentinels| {
    ///         let variables = sentinels.register("variables", PyDict::new(py))?;
    ///         Bound::new(py, Scope { variables: Some(variables) })
    ///     })?;
    ///     report.assert_correct();
    ///     Ok(())
    /// })
    /// # }
    /// ```
    pub fn register<T>(&self, name: &str, object: Bound<'py, T>) -> PyResult<Py<T>> {
        if self.get(name).is_some() {
            return Err(PyValueError::new_err(format!("there is a sentinel called {name:?} already")));
        }
        if Live::of(&object).references() != Some(1) {
            let message = "is referred to from elsewhere: register a fresh object, as soon as it is made";
            return Err(PyValueError::new_err(format!("the sentinel {name:?} {message}")));
        }
        self.add(name, object.clone().into_any(), None);
        Ok(object.unbind())
    }

    fn get(&self, name: &str) -> Option<Bound<'py, PyAny>> {
        let list = self.list.borrow();
        list.iter().find(|sentinel| sentinel.name == name).map(|sentinel| sentinel.object.clone())
    }

    fn add(&self, name: &str, object: Bound<'py, PyAny>, drops: Option<DropCounter>) {
        self.list.borrow_mut().push(Sentinel { name: name.to_owned(), object, drops });
    }
}

impl Sentinel<'_> {
    pub(super) fn pointer(&self) -> Object {
        self.object.as_ptr()
    }
}
