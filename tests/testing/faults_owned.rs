//! `check_class` tells what an instance visits from what it owns, without ever destroying a live object; and what a
//! traverse does wrong besides.

use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyList, PyString};
use pyo3::{PyTraverseError, PyVisit};
use pyo3_gc::testing::{ClassCheck, Fault, Untried, check_class};

use crate::broken::{broken, pair, pair_with, visit_borrowed};

#[test]
fn visits_a_static_which_stays_whole() {
    static SHARED: PyOnceLock<Py<PyDict>> = PyOnceLock::new();
    broken!(VisitsStatic {
        traverse(&self, visit) {
            // SAFETY: the traverse runs attached.
            let py = unsafe { Python::assume_attached() };
            visit.call(SHARED.get(py))?;
            visit.call(&self.left)?;
            visit.call(&self.right)
        }
    });
    Python::attach(|py| {
        let shared = SHARED.get_or_init(py, || PyDict::new(py).unbind()).bind(py);
        shared.set_item("entry", 1).unwrap();
        let report = pair::<VisitsStatic>(py);
        assert_eq!(report.faults, [not_owned("dict", 0, 1)]);
        assert_eq!(report.unchecked.len(), 2, "a collection could do harm");
        assert_eq!(shared.len(), 1, "the check destroyed what it checked");
    });
}

#[test]
fn visits_twice_what_it_shares_with_others() {
    // More references than visits, but fewer are its own.
    #[pyclass]
    struct Shares {
        list: Option<Py<PyList>>,
    }
    #[pymethods]
    impl Shares {
        fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
            visit.call(&self.list)?;
            visit.call(&self.list)
        }

        fn __clear__(&mut self) {
            self.list = None;
        }
    }
    Python::attach(|py| {
        let list = PyList::new(py, [1]).unwrap();
        let others = [list.clone(), list.clone(), list.clone()];
        let report = check_class(py, |_| Bound::new(py, Shares { list: Some(list.clone().unbind()) }));
        assert_eq!(report.unwrap().faults, [not_owned("list", 1, 2)]);
        assert_eq!(others[0].len(), 1);
    });
}

#[test]
fn visits_itself() {
    static SELF: AtomicPtr<ffi::PyObject> = AtomicPtr::new(ptr::null_mut());
    broken!(VisitsItself {
        traverse(&self, visit) {
            visit.call(&self.left)?;
            visit.call(&self.right)?;
            visit_borrowed(SELF.load(Ordering::SeqCst), &visit)
        }
    });
    Python::attach(|py| {
        let report = check_class(py, |sentinels| {
            let [left, right] = ["left", "right"].map(|name| sentinels.object(name).map(Some));
            let instance = Bound::new(py, VisitsItself { left: left?, right: right? })?;
            SELF.store(instance.as_ptr(), Ordering::SeqCst);
            Ok(instance)
        })
        .unwrap();
        let own = report
            .faults
            .iter()
            .map(|fault| matches!(fault, Fault::VisitedNotOwned { owned: 0, visits: 1, .. }));
        assert_eq!(own.collect::<Vec<_>>(), [true], "{report}");
    });
}

#[test]
fn owning_itself_is_right() {
    #[pyclass]
    struct Own {
        peer: Option<Py<PyAny>>,
        sentinel: Option<Py<PyAny>>,
    }
    #[pymethods]
    impl Own {
        fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
            visit.call(&self.peer)?;
            visit.call(&self.sentinel)
        }

        fn __clear__(&mut self) {
            self.peer = None;
            self.sentinel = None;
        }
    }
    Python::attach(|py| {
        let report = check_class(py, |sentinels| {
            let own = Bound::new(py, Own { peer: None, sentinel: Some(sentinels.object("held")?) })?;
            own.borrow_mut().peer = Some(own.clone().into_any().unbind());
            Ok(own)
        })
        .unwrap();
        assert_eq!(report.faults, []);
        assert_eq!(report.unchecked, []);
    });
}

#[test]
fn visits_one_of_two_fields_twice_and_the_other_never() {
    broken!(LeftTwice {
        traverse(&self, visit) {
            visit.call(&self.left)?;
            visit.call(&self.left)
        }
    });
    Python::attach(|py| {
        let report = check_class(py, |sentinels| {
            let [left, right] = [(); 2].map(|()| sentinels.object("both").map(Some));
            Bound::new(py, LeftTwice { left: left?, right: right? })
        });
        let name = || "both".to_owned();
        assert_eq!(
            report.unwrap().faults,
            [
                Fault::OverVisited { name: name(), owned: 1, visits: 2 },
                Fault::NotVisited { name: name(), owned: 1, visits: 0 },
            ]
        );
    });
}

#[test]
fn what_needs_the_same_object_in_two_places_is_said() {
    broken!(Alike {});
    Python::attach(|py| {
        let report = check_class(py, |sentinels| {
            let [left, right] = [sentinels.object("both")?, sentinels.object("both")?];
            if !left.is(&right) {
                return Err(pyo3::exceptions::PyValueError::new_err("two keys for one entry"));
            }
            Bound::new(py, Alike { left: Some(left), right: Some(right) })
        })
        .unwrap();
        assert_eq!(report.faults, []);
        assert_eq!(report.unchecked.iter().map(|it| it.what).collect::<Vec<_>>(), [Untried::Distinct]);
        assert!(report.to_string().contains("ValueError: two keys for one entry"), "{report}");
    });
}

#[test]
fn ignores_the_failure_of_the_visitor() {
    broken!(IgnoresAll {
        traverse(&self, visit) {
            let _ = visit.call(&self.left);
            let _ = visit.call(&self.right);
            Ok(())
        }
    });
    broken!(IgnoresSecond {
        traverse(&self, visit) {
            visit.call(&self.left)?;
            let _ = visit.call(&self.right);
            Ok(())
        }
    });
    Python::attach(|py| {
        let first = 1 + crate::broken::pyo3_visits_the_type(py);
        assert_eq!(pair::<IgnoresAll>(py).faults, [Fault::FailureIgnored { call: first }]);
        assert_eq!(pair::<IgnoresSecond>(py).faults, [Fault::FailureIgnored { call: first + 1 }]);
    });
}

#[test]
fn makes_an_object() {
    broken!(MakesString {
        traverse(&self, visit) {
            // SAFETY: the traverse runs attached.
            let py = unsafe { Python::assume_attached() };
            let made = PyString::new(py, "for a moment");
            visit.call(&self.left)?;
            drop(made);
            visit.call(&self.right)
        }
    });
    Python::attach(|py| {
        let report = pair::<MakesString>(py);
        if cfg!(Py_GIL_DISABLED) {
            assert_eq!(report.faults, []);
        } else {
            assert_eq!(report.faults, [Fault::Allocates]);
        }
    });
}

#[test]
fn what_it_declares_of_several_objects_holds_of_each() {
    broken!(HidesBoth {
        traverse(&self, visit) {
            visit.call(None::<&Py<PyAny>>)
        }
    });
    Python::attach(|py| {
        let report = ClassCheck::new().hides("both").run(py, |sentinels| {
            let [left, right] = [(); 2].map(|()| sentinels.object("both").map(Some));
            Bound::new(py, HidesBoth { left: left?, right: right? })
        });
        assert_eq!(report.unwrap().faults, []);
        assert_eq!(pair_with::<HidesBoth>(py, ClassCheck::new().hides("left").hides("right")).faults, []);
    });
}

fn not_owned(name: &str, owned: usize, visits: usize) -> Fault {
    Fault::VisitedNotOwned { name: name.into(), owned, visits }
}
