//! Classes with hooks by hand that are wrong, for what finds that.

#![allow(unused_macros, unused_imports, dead_code, reason = "each test uses what it needs")]

use pyo3::PyClass;
use pyo3::prelude::*;
use pyo3::{PyTraverseError, PyVisit, ffi};
use pyo3_gc::testing::{ClassCheck, ClassReport};

/// A class with two fields, `left` and `right`, with hooks as given, and perhaps a destructor. A hook that isn't given is
/// as it should be.
macro_rules! broken {
    ($class:ident { traverse(&$this:ident, $visit:ident) $traverse:block }) => {
        $crate::broken::broken!($class {
            traverse(&$this, $visit) $traverse
            clear(&mut self) {
                self.left = None;
                self.right = None;
            }
        });
    };
    ($class:ident {
        $(clear(&mut $cleared:ident) $clear:block)?
        $(drop(&mut $dropped:ident) $drop:block)?
    }) => {
        $crate::broken::broken!($class {
            traverse(&self, visit) {
                visit.call(&self.left)?;
                visit.call(&self.right)
            }
            $(clear(&mut $cleared) $clear)?
            $(drop(&mut $dropped) $drop)?
        });
    };
    ($class:ident {
        traverse(&$this:ident, $visit:ident) $traverse:block
        drop(&mut $dropped:ident) $drop:block
    }) => {
        $crate::broken::broken!($class {
            traverse(&$this, $visit) $traverse
            clear(&mut self) {
                self.left = None;
                self.right = None;
            }
            drop(&mut $dropped) $drop
        });
    };
    (
        $class:ident {
            traverse(&$this:ident, $visit:ident) $traverse:block
            clear(&mut $cleared:ident) $clear:block
            $(drop(&mut $dropped:ident) $drop:block)?
        }
    ) => {
        #[pyo3::pyclass]
        #[allow(dead_code, reason = "a field may be what the hooks forget")]
        struct $class {
            left: Option<pyo3::Py<pyo3::PyAny>>,
            right: Option<pyo3::Py<pyo3::PyAny>>,
        }

        #[pyo3::pymethods]
        #[allow(clippy::unnecessary_wraps, reason = "PyO3 asks for it")]
        impl $class {
            fn __traverse__(&$this, $visit: pyo3::PyVisit<'_>) -> Result<(), pyo3::PyTraverseError> $traverse

            fn __clear__(&mut $cleared) $clear
        }

        $(impl Drop for $class {
            fn drop(&mut $dropped) $drop
        })?

        impl From<[pyo3::Py<pyo3::PyAny>; 2]> for $class {
            fn from([left, right]: [pyo3::Py<pyo3::PyAny>; 2]) -> Self {
                Self { left: Some(left), right: Some(right) }
            }
        }
    };
}

pub(crate) use broken;

/// Checks such a class.
pub(crate) fn pair<T>(py: Python<'_>) -> ClassReport
where
    T: PyClass + From<[Py<PyAny>; 2]> + Into<PyClassInitializer<T>>,
{
    pair_with::<T>(py, ClassCheck::new())
}

pub(crate) fn pair_with<T>(py: Python<'_>, check: ClassCheck) -> ClassReport
where
    T: PyClass + From<[Py<PyAny>; 2]> + Into<PyClassInitializer<T>>,
{
    let report = check.run(py, |sentinels| {
        Bound::new(py, T::from([sentinels.object("left")?, sentinels.object("right")?]))
    });
    report.unwrap()
}

/// How often an instance of a class visits its type with this version of PyO3, by the answer of `gc.get_referents`.
pub(crate) fn pyo3_visits_the_type(py: Python<'_>) -> usize {
    #[pyo3::pyclass]
    struct Simple(Option<Py<PyAny>>);
    #[pyo3::pymethods]
    impl Simple {
        fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
            visit.call(&self.0)
        }
    }

    let simple = Bound::new(py, Simple(None)).unwrap();
    crate::support::visits(simple.as_any(), &simple.get_type())
}

/// Visits a reference that isn't owned. The object must be alive.
pub(crate) fn visit_borrowed(object: *mut ffi::PyObject, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
    // SAFETY: the traverse runs attached.
    let py = unsafe { Python::assume_attached() };
    // SAFETY: the object is alive.
    let object = unsafe { Borrowed::from_ptr(py, object) };
    visit.call(object.as_unbound())
}
