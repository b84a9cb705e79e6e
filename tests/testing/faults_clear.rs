//! `check_class` names exactly what is wrong with a class: its clear, its end, its cycles, and what was declared of it.

use std::mem;
use std::sync::atomic::{AtomicUsize, Ordering};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::{PyTraverseError, PyVisit, ffi};
use pyo3_gc::PyGcTraversable;
use pyo3_gc::testing::{ClassCheck, Declaration, Fault, check_class};

use crate::broken::{broken, pair, pair_with};

#[test]
fn keeps_after_clear() {
    broken!(Keeps {
        clear(&mut self) {
            self.left = None;
        }
    });
    Python::attach(|py| {
        assert_eq!(pair::<Keeps>(py).faults, [kept("right", 1)]);
        assert_eq!(pair_with::<Keeps>(py, ClassCheck::new().keeps("right")).faults, []);
        let both = ClassCheck::new().keeps("right").keeps("left");
        assert_eq!(pair_with::<Keeps>(py, both).faults, [needless("left", Declaration::Keeps)]);
    });
}

#[test]
fn has_no_clear() {
    #[pyclass(frozen)]
    #[derive(PyGcTraversable)]
    struct NoClear {
        left: Py<PyAny>,
        right: Py<PyAny>,
    }
    #[pymethods]
    impl NoClear {
        fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
            self.traverse(visit)
        }
    }
    impl From<[Py<PyAny>; 2]> for NoClear {
        fn from([left, right]: [Py<PyAny>; 2]) -> Self {
            Self { left, right }
        }
    }

    Python::attach(|py| {
        assert_eq!(pair::<NoClear>(py).faults, [kept("left", 1), kept("right", 1)]);
        let check = ClassCheck::new().keeps("left").keeps("right");
        assert_eq!(pair_with::<NoClear>(py, check).faults, [], "a list in the cycle breaks it");
    });
}

#[test]
fn fails_to_clear() {
    #[pyclass]
    struct Raises {
        left: Option<Py<PyAny>>,
    }
    #[pymethods]
    impl Raises {
        fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
            visit.call(&self.left)
        }

        fn __clear__(&mut self) -> PyResult<()> {
            self.left = None;
            Err(PyRuntimeError::new_err("no"))
        }
    }

    Python::attach(|py| {
        let report =
            check_class(py, |sentinels| Bound::new(py, Raises { left: Some(sentinels.object("left")?) }));
        assert_eq!(report.unwrap().faults, [Fault::ClearFailed { error: "RuntimeError: no".into() }]);
    });
}

#[test]
fn fails_to_clear_a_second_time() {
    broken!(Once {
        clear(&mut self) {
            self.right = None;
            drop(self.left.take().expect("expected by the test"));
        }
    });
    Python::attach(|py| {
        let error = "expected by the test".into();
        assert_eq!(pair::<Once>(py).faults, [Fault::ClearFailed { error }]);
    });
}

#[test]
fn forgets_in_its_destructor() {
    broken!(Forgets {
        drop(&mut self) {
            mem::forget(self.right.take());
        }
    });
    Python::attach(|py| assert_eq!(pair::<Forgets>(py).faults, [leaked("right")]));
}

#[test]
fn shows_less_than_it_still_holds_once_it_is_cleared() {
    broken!(ShowsLess {
        traverse(&self, visit) {
            if self.left.is_some() { visit.call(&self.left)?; visit.call(&self.right) } else { Ok(()) }
        }
        clear(&mut self) {
            self.left = None;
        }
    });
    Python::attach(|py| {
        let report = pair_with::<ShowsLess>(py, ClassCheck::new().keeps("right"));
        let fault = Fault::NotVisited { name: "right".into(), owned: 1, visits: 0 };
        assert_eq!(report.faults, [Fault::AfterClear(Box::new(fault))]);
        assert!(report.to_string().contains("- after `clear`: `right`: 1 reference, 0 visits"), "{report}");
    });
}

#[test]
fn forgets_what_it_was_cleared_of() {
    broken!(ForgetsLater {
        clear(&mut self) {
            self.left = None;
        }
        drop(&mut self) {
            if self.left.is_none() {
                mem::forget(self.right.take());
            }
        }
    });
    Python::attach(|py| {
        let report = pair_with::<ForgetsLater>(py, ClassCheck::new().keeps("right"));
        assert_eq!(report.faults, [Fault::AfterClear(Box::new(leaked("right")))]);
    });
}

#[test]
fn is_not_tracked() {
    broken!(Untracked {});
    Python::attach(|py| {
        let report = check_class(py, |sentinels| {
            let pair = Untracked::from([sentinels.object("left")?, sentinels.object("right")?]);
            let instance = Bound::new(py, pair)?;
            // SAFETY: the object is alive, tracked, and of a GC type.
            unsafe { ffi::PyObject_GC_UnTrack(instance.as_ptr().cast()) };
            Ok(instance)
        });
        let not_collected = |name: &str| Fault::NotCollected { name: name.into() };
        assert_eq!(report.unwrap().faults, [not_collected("left"), not_collected("right")]);
    });
}

#[test]
fn clears_when_asked_but_not_in_a_cycle() {
    static CALLS: AtomicUsize = AtomicUsize::new(0);
    broken!(Tires {
        clear(&mut self) {
            if CALLS.fetch_add(1, Ordering::SeqCst) < 2 {
                self.left = None;
                self.right = None;
            }
        }
    });
    Python::attach(|py| {
        let not_collected = |name: &str| Fault::NotCollected { name: name.into() };
        assert_eq!(pair::<Tires>(py).faults, [not_collected("left"), not_collected("right")]);
    });
}

#[test]
fn hides_on_purpose_or_not() {
    broken!(Hides {
        traverse(&self, visit) {
            visit.call(&self.left)
        }
        clear(&mut self) {
            self.left = None;
        }
    });
    Python::attach(|py| {
        assert_eq!(pair_with::<Hides>(py, ClassCheck::new().hides("right")).faults, []);
        let both = ClassCheck::new().hides("right").hides("left");
        assert_eq!(pair_with::<Hides>(py, both).faults, [needless("left", Declaration::Hides)]);
    });
}

fn kept(name: &str, kept: usize) -> Fault {
    Fault::KeptAfterClear { name: name.into(), kept, is_exception: false }
}

fn leaked(name: &str) -> Fault {
    Fault::LeakedAtDealloc { name: name.into(), left: 1 }
}

fn needless(name: &str, declaration: Declaration) -> Fault {
    Fault::Needless { name: name.into(), declaration }
}
