//! The conformance test for one class, as its users call it.

use pyo3::PyClass;
use pyo3::prelude::*;
use pyo3::pyclass::boolean_struct::True;

use super::declared::Declared;
use super::locked::Locking;
use super::report::{ClassReport, Declaration};
use super::sentinels::Sentinels;
use super::serial::undisturbed;
use super::steps::Steps;
use crate::heap::require_cpython;

/// Checks one class: [`ClassCheck::run`] without options.
///
/// # Errors
///
/// As for [`ClassCheck::run`].
///
/// # Examples
///
/// A forgotten field:
///
/// ```
/// use pyo3::prelude::*;
/// use pyo3::{PyTraverseError, PyVisit};
/// use pyo3_gc::testing::{Fault, check_class};
///
/// #[pyclass]
/// struct Pair {
///     left: Option<Py<PyAny>>,
///     right: Option<Py<PyAny>>,
/// }
///
/// #[pymethods]
/// impl Pair {
///     fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
///         visit.call(&self.left)
///     }
///
///     fn __clear__(&mut self) {
///         self.left = None;
///         self.right = None;
///     }
/// }
///
/// # fn main() -> PyResult<()> {
/// Python::attach(|py| {
///     let report = check_class(py, |sentinels| {
///         let [left, right] = ["left", "right"].map(|name| sentinels.object(name).map(Some));
///         Bound::new(py, Pair { left: left?, right: right? })
///     })?;
///     assert_eq!(report.faults, [Fault::NotVisited { name: "right".into(), owned: 1, visits: 0 }]);
///     Ok(())
/// })
/// # }
/// ```
pub fn check_class<'py, T>(
    py: Python<'py>,
    make: impl FnMut(&Sentinels<'py>) -> PyResult<Bound<'py, T>>,
) -> PyResult<ClassReport> {
    ClassCheck::new().run(py, make)
}

/// The options of a check.
///
/// ```
/// use pyo3::prelude::*;
/// use pyo3_gc::testing::ClassCheck;
/// use pyo3_gc::{PyGcOpaque, pyclass, pymethods};
///
/// #[pyclass]
/// struct Entry {
///     key: PyGcOpaque<Py<PyAny>>,
///     #[pyo3_gc(clear = false)]
///     on_drop: Py<PyAny>, // needed by a destructor
///     value: Py<PyAny>,
/// }
///
/// #[pymethods]
/// impl Entry {}
///
/// # fn main() -> PyResult<()> {
/// Python::attach(|py| {
///     let check = ClassCheck::new().hides("key").keeps("on_drop");
///     let report = check.run(py, |sentinels| {
///         let [key, on_drop, value] = ["key", "on_drop", "value"].map(|name| sentinels.object(name));
///         Bound::new(py, Entry { key: key?.into(), on_drop: on_drop?, value: value? })
///     })?;
///     report.assert_correct();
///     Ok(())
/// })
/// # }
/// ```
#[derive(Clone, Debug, Default)]
#[must_use = "a check does nothing until it is `run`"]
pub struct ClassCheck {
    declared: Declared,
    locking: Option<Locking>,
}

impl ClassCheck {
    /// No exceptions: everything is visited, and let go of by `clear`.
    pub fn new() -> Self {
        Self::default()
    }

    /// The sentinel rightly stays when the instance is cleared: it stands in a typed `Py<T>`, in a frozen class outside
    /// of any lock, or its field is marked `#[pyo3_gc(clear = false)]`. Then something else in a cycle has to let go.
    pub fn keeps(mut self, name: impl Into<String>) -> Self {
        self.declared.add(Declaration::Keeps, name.into());
        self
    }

    /// The sentinel is rightly not visited: it stands in a [`PyGcOpaque`](crate::PyGcOpaque), say. A cycle through it
    /// leaks.
    pub fn hides(mut self, name: impl Into<String>) -> Self {
        self.declared.add(Declaration::Hides, name.into());
        self
    }

    /// How a frozen class takes its locks: `lock` takes them, and calls what it is given while it holds them.
    ///
    /// The check then tries, with another thread, what would hang: that traverse waits for a lock, and that clearing drops
    /// a reference under one. `lock` is called on that other thread, which isn't attached: it takes the locks and nothing
    /// else.
    ///
    /// ```
    /// use std::sync::Mutex;
    /// use pyo3::prelude::*;
    /// use pyo3_gc::testing::ClassCheck;
    /// use pyo3_gc::{pyclass, pymethods};
    ///
    /// #[pyclass(frozen)]
    /// struct Cache {
    ///     last: Mutex<Option<Py<PyAny>>>,
    /// }
    ///
    /// #[pymethods]
    /// impl Cache {}
    ///
    /// # fn main() -> PyResult<()> {
    /// Python::attach(|py| {
    ///     let check = ClassCheck::new().locking(|cache: &Cache, locked| {
    ///         let _guard = cache.last.lock().unwrap();
    ///         locked();
    ///     });
    ///     let report =
    ///         check.run(py, |sentinels| Bound::new(py, Cache { last: Mutex::new(Some(sentinels.object("last")?)) }))?;
    ///     report.assert_correct();
    ///     Ok(())
    /// })
    /// # }
    /// ```
    pub fn locking<T>(mut self, lock: impl Fn(&T, &mut dyn FnMut()) + Send + Sync + 'static) -> Self
    where
        T: PyClass<Frozen = True> + Sync,
    {
        self.locking = Some(Locking::new(lock));
        self
    }

    /// Checks the class of what `make` builds with the sentinels that it asks for. It is called several times, and has to
    /// build the same each time; nothing else may hold what it builds.
    ///
    /// 1. The instance's `tp_traverse` is called with a visitor that counts: each sentinel must be visited as often as
    ///    it is owned, by the instance or by what belongs to it (a list, a [`PyGcArc`](crate::PyGcArc)'s node), twice
    ///    alike, with no reference count changed and no Python object made or freed at any visit. Its type must be visited
    ///    as this version of PyO3 does. A visitor that fails must end it at once, whichever of its first hundred calls
    ///    it fails at.
    /// 2. Whatever the instance visits is held, and the instance dropped: each reference count must fall by at least the
    ///    visits, and no reference to a sentinel may be left. Until here nothing is collected: what is visited without
    ///    being owned would be destroyed.
    /// 3. `tp_clear` of another instance is called, and that of what belongs to it alone: no reference may be left, but
    ///    for those that are declared. A second call must do no harm. The instance must still be as in 1 and 2.
    /// 4. A cycle through each sentinel is built, and must be collected. Through those of [`Sentinels::object`], nothing but
    ///    the class under test and what belongs to it can break it, or, for what that keeps, a list in the cycle. This
    ///    is left out where a collection could destroy live objects, and where a sentinel of yours has no place for an
    ///    attribute or an item: see [`ClassReport::unchecked`].
    ///
    /// With [`locking`](Self::locking), no lock may be waited for in 1, nor held while something is dropped in 3.
    ///
    /// # What it can't see
    ///
    /// - A lock that traverse waits for, or that clear holds while it drops something, without [`locking`](Self::locking),
    ///   or in a class that isn't frozen. The same for a class that is borrowed while it drops something.
    /// - A Python object that traverse makes if it is gone again before the next visit, if it comes from a free list, as
    ///   small tuples do, or in a free-threaded build. Calls of Python functions that make none.
    /// - A visitor's failure that a class with a base class ignores, before PyO3 0.30: 0.28 aborts where such a traverse is
    ///   stopped, so that it isn't tried.
    /// - What depends on the instance's state: build one for each state that matters, and check each.
    /// - What another instance does: that two of them visit what they share, which the `audit` finds.
    /// - What a destructor does that isn't run by the instance's end.
    ///
    /// # Errors
    ///
    /// - Those of `make` and of [`collect`](super::collect);
    /// - `ValueError`, if no sentinel has a name that [`keeps`](Self::keeps) or [`hides`](Self::hides) declares, if
    ///   `make` doesn't ask for the same sentinels each time, or if [`locking`](Self::locking) takes no lock;
    /// - `TypeError`, if `locking` is for another class;
    /// - `NotImplementedError` on an interpreter other than CPython, and in an `abi3` build on CPython 3.9.
    pub fn run<'py, T>(
        self,
        py: Python<'py>,
        mut make: impl FnMut(&Sentinels<'py>) -> PyResult<Bound<'py, T>>,
    ) -> PyResult<ClassReport> {
        require_cpython(py, "pyo3_gc::testing")?;
        let make = &mut |sentinels: &_| make(sentinels).map(Bound::into_any);
        undisturbed(py, || Steps::new(py, self.declared, self.locking, make)?.run())
    }
}
