use std::borrow::Borrow;
use std::fmt;
use std::ops::{Deref, DerefMut};

use pyo3::prelude::*;

use crate::impls::composed;
use crate::leaf;

/// Hides a value from the garbage collector, on purpose: it is never visited and never cleared.
///
/// Two uses:
///
/// - **Keys of a map or set**, and whatever else must stay what it is while it is shared. Python calls `__eq__` and
///   `__hash__` of keys at any time; an opaque key is never let go of before the map itself is.
/// - **A break point**, where another path visits the same value already. A reference must be visited once for each
///   owner, so that of two paths to one owner one must be opaque.
///
/// The price: a reference cycle that runs through an opaque value is never collected. It leaks.
///
/// Use [`#[pyo3(gc = false)]`](derive@crate::PyGcTraversable) for fields that own no Python object at all.
///
/// The wrapper is `repr(transparent)`, derefs to its contents, and compares, hashes, prints, converts to Python and
/// from Python (and serialises, with the `serde` feature) as they do.
///
/// # Examples
///
/// ```
/// use std::collections::HashMap;
///
/// use pyo3::prelude::*;
/// use pyo3_gc::{PyGcOpaque, PyGcTraversable};
///
/// #[pyclass]
/// #[derive(pyo3_gc::PyGcTraversable)]
/// struct Registry {
///     #[pyo3(get)]
///     root: PyGcOpaque<Py<PyAny>>, // never visited, never cleared; `registry.root` works all the same
///     entries: HashMap<PyGcOpaque<String>, Py<PyAny>>,
/// }
///
/// assert!(Registry::MAY_CONTAIN_CYCLES);
/// assert!(!PyGcOpaque::<Py<PyAny>>::MAY_CONTAIN_CYCLES);
///
/// // A map with opaque keys is asked with plain ones.
/// let ages = HashMap::from([(PyGcOpaque::new(String::from("Ann")), 30)]);
/// assert_eq!(ages.get(&String::from("Ann")), Some(&30));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct PyGcOpaque<T: ?Sized>(T);

leaf!(impl[T: ?Sized] PyGcOpaque<T>);
composed!(leaf impl[T: ?Sized] PyGcOpaque<T>: T);

impl<T> PyGcOpaque<T> {
    /// Hides `value` from the collector.
    pub const fn new(value: T) -> Self {
        Self(value)
    }

    /// The value, no longer hidden.
    pub fn into_inner(self) -> T {
        self.0
    }
}

impl<T> From<T> for PyGcOpaque<T> {
    fn from(value: T) -> Self {
        Self(value)
    }
}

impl<T: ?Sized> Deref for PyGcOpaque<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: ?Sized> DerefMut for PyGcOpaque<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

impl<T: ?Sized> AsRef<T> for PyGcOpaque<T> {
    fn as_ref(&self) -> &T {
        &self.0
    }
}

impl<T: ?Sized> AsMut<T> for PyGcOpaque<T> {
    fn as_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

/// Lets a map with opaque keys be asked with a plain one: both hash and compare alike.
impl<T: ?Sized> Borrow<T> for PyGcOpaque<T> {
    fn borrow(&self) -> &T {
        &self.0
    }
}

impl<T: fmt::Display + ?Sized> fmt::Display for PyGcOpaque<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<'a, 'py, T: FromPyObject<'a, 'py>> FromPyObject<'a, 'py> for PyGcOpaque<T> {
    type Error = T::Error;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> Result<Self, Self::Error> {
        object.extract().map(Self)
    }
}

impl<'py, T: IntoPyObject<'py>> IntoPyObject<'py> for PyGcOpaque<T> {
    type Target = T::Target;
    type Output = T::Output;
    type Error = T::Error;

    fn into_pyobject(self, py: Python<'py>) -> Result<Self::Output, Self::Error> {
        self.0.into_pyobject(py)
    }
}

/// Lets `#[pyo3(get)]` read through a field's wrapper.
impl<'a, 'py, T> IntoPyObject<'py> for &'a PyGcOpaque<T>
where
    &'a T: IntoPyObject<'py>,
{
    type Target = <&'a T as IntoPyObject<'py>>::Target;
    type Output = <&'a T as IntoPyObject<'py>>::Output;
    type Error = <&'a T as IntoPyObject<'py>>::Error;

    fn into_pyobject(self, py: Python<'py>) -> Result<Self::Output, Self::Error> {
        (&self.0).into_pyobject(py)
    }
}

#[cfg(feature = "serde")]
#[cfg_attr(docsrs, doc(cfg(feature = "serde")))]
impl<T: serde::Serialize + ?Sized> serde::Serialize for PyGcOpaque<T> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

#[cfg(feature = "serde")]
#[cfg_attr(docsrs, doc(cfg(feature = "serde")))]
impl<'de, T: serde::Deserialize<'de>> serde::Deserialize<'de> for PyGcOpaque<T> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::deserialize(deserializer).map(Self)
    }
}
