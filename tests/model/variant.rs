//! A complex enum as a class: three kinds of nodes.

use std::convert::Infallible;
use std::sync::{Mutex, RwLock};

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3_gc::{PyGcTraversable, pyclass, pymethods};

use super::classes::Act;
use super::kind::Kind;
use super::slot::Fixed;
use super::value::{Births, Object, Tag};

/// A field of a variant that Python neither reads nor writes. PyO3 wants to be able to convert each.
#[derive(PyGcTraversable)]
pub(crate) struct Inside<T>(pub(crate) T);

impl<T> FromPyObject<'_, '_> for Inside<T> {
    type Error = PyErr;

    fn extract(_: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        Err(PyTypeError::new_err("made in Rust only"))
    }
}

impl<'py, T> IntoPyObject<'py> for &Inside<T> {
    type Target = PyAny;
    type Output = Bound<'py, PyAny>;
    type Error = Infallible;

    fn into_pyobject(self, py: Python<'py>) -> Result<Self::Output, Self::Error> {
        Ok(py.None().into_bound(py))
    }
}

#[pyclass(weakref)]
pub(crate) enum Variant {
    Pair { left: Option<Object>, right: Option<Object>, tag: Inside<Tag> },
    Locked { objects: Inside<Mutex<Vec<Object>>>, tag: Inside<Tag> },
    List(Vec<Object>, Inside<RwLock<Option<Object>>>, Inside<Tag>),
}

#[pymethods]
impl Variant {}

impl Variant {
    pub(crate) fn new(kind: Kind, tag: Inside<Tag>, births: &mut Births) -> Self {
        match kind {
            Kind::PairVariant => Self::Pair { left: births.maybe(), right: births.maybe(), tag },
            Kind::LockedVariant => Self::Locked { objects: Inside(Mutex::default()), tag },
            Kind::ListVariant => {
                Self::List(Vec::from_iter(births.maybe::<Object>()), Inside(RwLock::default()), tag)
            }
            _ => unreachable!("no variant"),
        }
    }

    pub(crate) fn id(&self) -> usize {
        match self {
            Self::Pair { tag, .. } | Self::Locked { tag, .. } | Self::List(.., tag) => tag.0.id,
        }
    }

    /// Lends one of the fields, by its number in the model.
    pub(crate) fn with_slot(&self, index: usize, act: Act<'_>) {
        match (self, index) {
            (Self::Pair { left, .. }, 0) => act(&mut Fixed(left)),
            (Self::Pair { right, .. }, _) => act(&mut Fixed(right)),
            (Self::Locked { objects, .. }, _) => act(&mut &objects.0),
            (Self::List(list, ..), 0) => act(&mut Fixed(list)),
            (Self::List(_, locked, _), _) => act(&mut &locked.0),
        }
    }
}
