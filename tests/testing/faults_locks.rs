//! `check_class` finds what hooks do wrong with locks, once it knows how to take them; and follows clearing through what
//! belongs to the class.

use std::sync::{Mutex, OnceLock};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use pyo3::{PyTraverseError, PyVisit};
use pyo3_gc::testing::{ClassCheck, ClassReport, Fault, check_class};
use pyo3_gc::{PyGcArc, PyGcErr};

/// A frozen class with a lock, and hooks as given.
macro_rules! cache {
    ($class:ident, $check:ident, traverse($this:ident, $visit:ident) $traverse:block, clear($cleared:ident) $clear:block) => {
        #[pyclass(frozen)]
        struct $class {
            last: Mutex<Vec<Py<PyAny>>>,
        }

        #[pymethods]
        impl $class {
            fn __traverse__(&self, $visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
                let $this = self;
                $traverse
            }

            fn __clear__(&self) {
                let $cleared = self;
                $clear
            }
        }

        fn $check(py: Python<'_>) -> ClassReport {
            let check = ClassCheck::new().locking(|cache: &$class, locked| {
                let _guard = cache.last.lock().unwrap();
                locked();
            });
            let report = check.run(py, |sentinels| {
                let last = vec![sentinels.object("first")?, sentinels.object("second")?];
                Bound::new(py, $class { last: Mutex::new(last) })
            });
            report.unwrap()
        }
    };
}

cache!(
    Right, check_right,
    traverse(this, visit) {
        match this.last.try_lock() {
            Ok(last) => last.iter().try_for_each(|object| visit.call(object)),
            Err(_) => Ok(()),
        }
    },
    clear(this) {
        let last = std::mem::take(&mut *this.last.lock().unwrap());
        drop(last);
    }
);

cache!(
    Waits, check_waits,
    traverse(this, visit) {
        this.last.lock().unwrap().iter().try_for_each(|object| visit.call(object))
    },
    clear(this) {
        let last = std::mem::take(&mut *this.last.lock().unwrap());
        drop(last);
    }
);

cache!(
    DropsInside, check_drops_inside,
    traverse(this, visit) {
        match this.last.try_lock() {
            Ok(last) => last.iter().try_for_each(|object| visit.call(object)),
            Err(_) => Ok(()),
        }
    },
    clear(this) {
        this.last.lock().unwrap().clear();
    }
);

#[test]
fn locks_are_tried_and_released() {
    Python::attach(|py| {
        let report = check_right(py);
        assert_eq!(report.faults, []);
        assert_eq!(report.unchecked, []);
    });
}

#[test]
fn waits_for_a_lock_in_traverse() {
    Python::attach(|py| assert_eq!(check_waits(py).faults, [Fault::WaitsForLock]));
}

#[test]
fn drops_under_a_lock_in_clear() {
    Python::attach(|py| assert_eq!(check_drops_inside(py).faults, [Fault::DropsUnderLock]));
}

#[test]
fn derived_hooks_try_locks_and_drop_after_them() {
    #[pyo3_gc::pyclass(frozen)]
    struct Derived {
        last: Mutex<Vec<Py<PyAny>>>,
        nested: Mutex<Vec<Mutex<Option<Py<PyAny>>>>>,
    }
    #[pyo3_gc::pymethods]
    impl Derived {}

    Python::attach(|py| {
        let check = ClassCheck::new().locking(|derived: &Derived, locked| {
            let _last = derived.last.lock().unwrap();
            let _nested = derived.nested.lock().unwrap();
            locked();
        });
        let report = check.run(py, |sentinels| {
            let last = Mutex::new(vec![sentinels.object("last")?]);
            let nested = Mutex::new(vec![Mutex::new(Some(sentinels.object("nested")?))]);
            Bound::new(py, Derived { last, nested })
        });
        report.unwrap().assert_correct();
    });
}

#[test]
fn a_lock_that_is_never_taken_and_another_class_are_errors() {
    #[pyo3_gc::pyclass(frozen)]
    struct Other {}

    Python::attach(|py| {
        let run = |check: ClassCheck| {
            check.run(py, |sentinels| {
                Bound::new(py, Right { last: Mutex::new(vec![sentinels.object("first")?]) })
            })
        };
        let error = run(ClassCheck::new().locking(|_: &Right, _| ())).unwrap_err();
        assert!(error.is_instance_of::<PyValueError>(py), "{error}");
        let error = run(ClassCheck::new().locking(|_: &Other, locked| locked())).unwrap_err();
        assert!(error.is_instance_of::<pyo3::exceptions::PyTypeError>(py), "{error}");
    });
}

#[test]
fn clearing_is_followed_through_a_node() {
    #[derive(pyo3_gc::PyGcTraversable)]
    struct Shared {
        callback: Mutex<Option<Py<PyAny>>>,
    }
    #[pyo3_gc::pyclass(frozen)]
    struct Handle {
        shared: PyGcArc<Shared>,
        failure: Option<PyGcErr>,
    }
    #[pyo3_gc::pymethods]
    impl Handle {}

    Python::attach(|py| {
        let report = check_class(py, |sentinels| {
            let callback = Mutex::new(Some(sentinels.object("callback")?));
            Bound::new(py, Handle { shared: PyGcArc::new(py, Shared { callback })?, failure: None })
        });
        report.unwrap().assert_correct();
    });
}

#[test]
fn clearing_is_followed_through_a_container_but_not_through_what_others_hold() {
    #[pyo3_gc::pyclass(frozen)]
    struct Lists {
        list: Py<PyList>,
    }
    #[pyo3_gc::pymethods]
    impl Lists {}

    Python::attach(|py| {
        let report = check_class(py, |sentinels| {
            let inner = PyList::new(py, [sentinels.object("item")?])?;
            Bound::new(py, Lists { list: PyList::new(py, [inner])?.unbind() })
        });
        report.unwrap().assert_correct();

        let outside = PyList::empty(py);
        let report = check_class(py, |sentinels| {
            let inner = PyList::new(py, [sentinels.object("item")?])?;
            outside.append(&inner)?;
            Bound::new(py, Lists { list: PyList::new(py, [inner])?.unbind() })
        });
        drop(report);
        assert!(outside.iter().all(|inner| inner.len().unwrap() == 1), "what others hold was cleared");
    });
}

#[test]
fn a_bare_exception_that_stays_is_explained() {
    #[pyo3_gc::pyclass]
    struct Failed {
        error: PyGcErr,
    }
    #[pyo3_gc::pymethods]
    impl Failed {}

    Python::attach(|py| {
        let make = |check: ClassCheck| {
            check.run(py, |sentinels| {
                let exception = PyValueError::new_err("no").into_value(py).into_bound(py);
                let exception = sentinels.register("error", exception)?;
                let error = PyGcErr::from(PyErr::from_value(exception.into_bound(py).into_any()));
                Bound::new(py, Failed { error })
            })
        };
        let report = make(ClassCheck::new()).unwrap();
        let fault = Fault::KeptAfterClear { name: "error".into(), kept: 1, is_exception: true };
        assert_eq!(report.faults, [fault]);
        assert!(report.to_string().contains("Option<PyGcErr>"), "{report}");
        make(ClassCheck::new().keeps("error")).unwrap().assert_correct();
    });
}

#[test]
fn clears_one_element_a_call() {
    #[pyclass]
    struct OneACall {
        items: Vec<Py<PyAny>>,
    }
    #[pymethods]
    impl OneACall {
        fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
            self.items.iter().try_for_each(|item| visit.call(item))
        }

        fn __clear__(&mut self) {
            self.items.pop();
        }
    }

    Python::attach(|py| {
        let report = check_class(py, |sentinels| {
            let items = vec![sentinels.object("first")?, sentinels.object("second")?];
            Bound::new(py, OneACall { items })
        });
        let kept = Fault::KeptAfterClear { name: "first".into(), kept: 1, is_exception: false };
        assert_eq!(report.unwrap().faults, [kept]);
    });
}

#[test]
fn hidden_fields_are_listed_with_their_reasons() {
    #[pyo3_gc::pyclass]
    struct Hides {
        shown: Option<Py<PyAny>>,
        #[pyo3_gc(hidden = "the registry's, which lives as long as the process")]
        registered: OnceLock<Py<PyDict>>,
    }
    #[pyo3_gc::pymethods]
    impl Hides {}

    Python::attach(|py| {
        let report = check_class(py, |sentinels| {
            let shown = Some(sentinels.object("shown")?);
            Bound::new(py, Hides { shown, registered: OnceLock::new() })
        })
        .unwrap();
        report.assert_correct();
        assert_eq!(report.hidden.len(), 1);
        assert_eq!(report.hidden[0].field, "registered");
        assert!(report.to_string().contains("hidden: `registered` of "), "{report}");
    });
}
