//! `check_class` names exactly what is wrong with a class: its traverse.

use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyList;
use pyo3::{PyTraverseError, PyVisit};
use pyo3_gc::testing::{Fault, check_class};

use crate::broken::{broken, pair, pyo3_visits_the_type, visit_borrowed};

type Traversed = Result<(), PyTraverseError>;

#[test]
fn nothing_is_wrong_with_hooks_as_they_should_be() {
    broken!(Right {});
    Python::attach(|py| {
        let report = pair::<Right>(py);
        assert_eq!(report.faults, []);
        assert_eq!(report.unchecked, []);
        assert_eq!(report.sentinels, ["left", "right"]);
        assert!(report.is_correct());
        assert!(report.to_string().ends_with("Right: no faults, 2 sentinels\n"), "{report}");
        report.assert_correct();
    });
}

#[test]
fn misses_a_field() {
    broken!(Misses {
        traverse(&self, visit) {
            visit.call(&self.left)
        }
    });
    Python::attach(|py| {
        let report = pair::<Misses>(py);
        assert_eq!(report.faults, [not_visited("right", 1, 0)]);
        assert_eq!(report.unchecked, []);
        assert!(!report.is_correct());
    });
}

#[test]
fn misses_one_of_two_references_to_the_same_object() {
    broken!(MissesOneOfTwo {
        traverse(&self, visit) {
            visit.call(&self.left)
        }
    });
    Python::attach(|py| {
        let report = check_class(py, |sentinels| {
            let [left, right] = [(); 2].map(|()| sentinels.object("both").map(Some));
            Bound::new(py, MissesOneOfTwo { left: left?, right: right? })
        });
        assert_eq!(report.unwrap().faults, [not_visited("both", 2, 1)]);
    });
}

#[test]
fn visits_twice() {
    broken!(Twice {
        traverse(&self, visit) {
            visit.call(&self.left)?;
            visit.call(&self.right)?;
            visit.call(&self.right)
        }
    });
    Python::attach(|py| {
        let report = pair::<Twice>(py);
        assert_eq!(report.faults, [over_visited("right", 1, 2)]);
        let untried = report.unchecked.iter().map(|it| &*it.name).collect::<Vec<_>>();
        assert_eq!(untried, ["left", "right"], "a collection could do harm");
    });
}

#[test]
fn visits_the_contents_of_what_it_owns() {
    #[pyclass]
    struct Deep {
        list: Option<Py<PyList>>,
        borrowed: *mut ffi::PyObject,
    }
    // SAFETY: nothing is done with the pointer but while the list, which owns the object, is alive.
    unsafe impl Send for Deep {}
    // SAFETY: as above.
    unsafe impl Sync for Deep {}
    #[pymethods]
    impl Deep {
        fn __traverse__(&self, visit: PyVisit<'_>) -> Traversed {
            visit.call(&self.list)?;
            if self.list.is_some() { visit_borrowed(self.borrowed, &visit) } else { Ok(()) }
        }

        fn __clear__(&mut self) {
            self.list = None;
        }
    }

    Python::attach(|py| {
        let report = check_class(py, |sentinels| {
            let item = sentinels.object("item")?;
            let borrowed = item.as_ptr();
            Bound::new(py, Deep { list: Some(PyList::new(py, [item])?.unbind()), borrowed })
        });
        assert_eq!(report.unwrap().faults, [over_visited("item", 1, 2)]);
    });
}

#[test]
fn visits_twice_what_is_no_sentinel() {
    #[pyclass]
    struct Inside {
        list: Option<Py<PyList>>,
    }
    #[pymethods]
    impl Inside {
        fn __traverse__(&self, visit: PyVisit<'_>) -> Traversed {
            visit.call(&self.list)?;
            visit.call(&self.list)
        }

        fn __clear__(&mut self) {
            self.list = None;
        }
    }

    Python::attach(|py| {
        let report = check_class(py, |_| Bound::new(py, Inside { list: Some(PyList::empty(py).unbind()) }));
        let fault = Fault::OverVisitedInside { type_name: "list".into(), references: 1, visits: 2 };
        assert_eq!(report.unwrap().faults, [fault]);
    });
}

#[test]
fn counts_references_up_and_down() {
    broken!(UpAndDown {
        traverse(&self, visit) {
            // SAFETY: the traverse runs attached.
            let py = unsafe { Python::assume_attached() };
            let right = self.right.as_ref().map(|right| right.clone_ref(py));
            visit.call(&self.left)?;
            visit.call(&self.right)?;
            if let Some(right) = right.map(Py::into_ptr) {
                // SAFETY: this is what was counted up.
                unsafe { ffi::Py_DECREF(right) };
            }
            Ok(())
        }
    });
    Python::attach(|py| {
        assert_eq!(pair::<UpAndDown>(py).faults, [Fault::ReferencesMoved { name: "right".into() }]);
    });
}

#[test]
fn counts_references_up_and_leaves_them_there() {
    broken!(Up {
        traverse(&self, visit) {
            visit.call(&self.left)?;
            visit.call(&self.right)?;
            if let Some(right) = &self.right {
                // SAFETY: the object is alive, and the thread attached.
                unsafe { ffi::Py_INCREF(right.as_ptr()) };
            }
            Ok(())
        }
    });
    Python::attach(|py| {
        assert_eq!(pair::<Up>(py).faults, [Fault::ReferencesMoved { name: "right".into() }]);
    });
}

#[test]
fn counts_references_up_that_it_does_not_show() {
    broken!(UpUnseen {
        traverse(&self, visit) {
            if let Some(right) = &self.right {
                // SAFETY: the object is alive, and the thread attached.
                unsafe { ffi::Py_INCREF(right.as_ptr()) };
            }
            visit.call(None::<&Py<PyAny>>)
        }
    });
    Python::attach(|py| {
        let moved = Fault::ReferencesMoved { name: "right".into() };
        assert_eq!(
            pair::<UpUnseen>(py).faults,
            [moved, not_visited("left", 1, 0), not_visited("right", 1, 0)]
        );
    });
}

#[test]
fn answers_differently_twice() {
    static CALLS: AtomicUsize = AtomicUsize::new(0);
    broken!(Alternates {
        traverse(&self, visit) {
            visit.call(&self.left)?;
            if CALLS.fetch_add(1, Ordering::SeqCst) % 2 == 1 {
                visit.call(&self.right)?;
            }
            Ok(())
        }
    });
    Python::attach(|py| {
        let report = pair::<Alternates>(py);
        assert_eq!(report.faults, [Fault::Unsteady { name: "right".into(), first: 0, second: 1 }]);
    });
}

#[test]
fn fails() {
    broken!(Panics {
        traverse(&self, visit) {
            visit.call(&self.left)?;
            panic!("expected by the test");
        }
    });
    Python::attach(|py| assert_eq!(pair::<Panics>(py).faults, [Fault::TraverseFailed]));
}

#[test]
fn visits_its_type() {
    static TYPE: AtomicPtr<ffi::PyObject> = AtomicPtr::new(std::ptr::null_mut());
    broken!(VisitsType {
        traverse(&self, visit) {
            for _ in 0..1000 {
                visit_borrowed(TYPE.load(Ordering::SeqCst), &visit)?;
            }
            visit.call(&self.left)?;
            visit.call(&self.right)
        }
    });
    Python::attach(|py| {
        TYPE.store(py.get_type::<VisitsType>().as_ptr(), Ordering::SeqCst);
        let expected = pyo3_visits_the_type(py);
        let report = pair::<VisitsType>(py);
        assert_eq!(report.faults, [Fault::TypeVisits { expected, visits: 1000 + expected }]);
        assert_eq!(report.unchecked.len(), 2, "a collection could do harm");
    });
}

#[test]
fn has_no_hooks() {
    #[pyclass]
    struct Plain {
        _left: Py<PyAny>,
        _right: Py<PyAny>,
    }

    Python::attach(|py| {
        let report = check_class(py, |sentinels| {
            let [left, right] = ["left", "right"].map(|name| sentinels.object(name));
            Bound::new(py, Plain { _left: left?, _right: right? })
        });
        let expected = if pyo3_visits_the_type(py) == 0 {
            vec![Fault::NoTraverse { holds: vec!["left".into(), "right".into()] }]
        } else {
            // From PyO3 0.30 on every class is known to the collector.
            let kept = |name: &str| Fault::KeptAfterClear { name: name.into(), kept: 1, is_exception: false };
            vec![not_visited("left", 1, 0), not_visited("right", 1, 0), kept("left"), kept("right")]
        };
        assert_eq!(report.unwrap().faults, expected);
    });
}

#[test]
fn several_faults_at_once_are_named_with_their_remedies() {
    broken!(Many {
        traverse(&self, visit) {
            visit.call(&self.left)?;
            visit.call(&self.left)
        }
        clear(&mut self) {
            self.left = None;
        }
    });
    Python::attach(|py| {
        let report = pair::<Many>(py);
        let kept = Fault::KeptAfterClear { name: "right".into(), kept: 1, is_exception: false };
        assert_eq!(report.faults, [over_visited("left", 1, 2), not_visited("right", 1, 0), kept]);
        let text = "\
Many: 3 faults, 2 sentinels
- `left`: 1 reference, 2 visits: the collector may destroy it while it is in use
    visit only what the instance owns itself, and that once for each reference
- `right`: 1 reference, 0 visits: a cycle through it leaks
    visit it once for each reference; if it is hidden on purpose, declare it with `hides`
- `right`: 1 reference kept after `clear`
    take it out in `__clear__` (from an `Option`, or a lock if the class is frozen); if it rightly stays, declare it \
with `keeps`
not tried: a cycle through `left`, since a collection could destroy what is alive
";
        assert_eq!(report.to_string(), text);
    });
}

#[test]
#[should_panic(expected = "`right`: 1 reference, 0 visits")]
fn a_test_of_such_a_class_fails() {
    broken!(Fails {
        traverse(&self, visit) {
            visit.call(&self.left)
        }
    });
    Python::attach(pair::<Fails>).assert_correct();
}

fn not_visited(name: &str, owned: usize, visits: usize) -> Fault {
    Fault::NotVisited { name: name.into(), owned, visits }
}

fn over_visited(name: &str, owned: usize, visits: usize) -> Fault {
    Fault::OverVisited { name: name.into(), owned, visits }
}
