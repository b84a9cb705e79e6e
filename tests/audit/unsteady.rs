//! The audit finds types whose traverse doesn't keep still.

use std::sync::atomic::{AtomicUsize, Ordering};

use pyo3::prelude::*;
use pyo3::{PyTraverseError, PyVisit, ffi};
use pyo3_gc::audit::{Fault, Kind, Unsteady, audit};

use crate::support::{self, alone, object};

/// A class with one field and this traverse.
macro_rules! class {
    ($class:ident, |$this:ident, $visit:ident| $traverse:expr) => {
        #[pyo3::pyclass(module = "unsteady")]
        #[allow(dead_code, reason = "not every class looks at both")]
        struct $class {
            value: Py<PyAny>,
            calls: AtomicUsize,
        }

        impl $class {
            fn make(value: Bound<'_, PyAny>) -> Bound<'_, PyAny> {
                let py = value.py();
                let class = Self { value: value.unbind(), calls: AtomicUsize::new(0) };
                Bound::new(py, class).unwrap().into_any()
            }
        }

        #[pyo3::pymethods]
        impl $class {
            fn __traverse__(&self, $visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
                let $this = self;
                $traverse
            }
        }
    };
}

class!(Steady, |this, visit| visit.call(&this.value));
class!(EveryOtherTime, |this, visit| {
    match this.calls.fetch_add(1, Ordering::Relaxed) % 2 {
        0 => Ok(()),
        _ => visit.call(&this.value),
    }
});
class!(Cloning, |this, visit| {
    // SAFETY: the object is alive, and the thread is attached.
    unsafe { ffi::Py_INCREF(this.value.as_ptr()) };
    let result = visit.call(&this.value);
    // SAFETY: gives back the reference that was taken above.
    unsafe { ffi::Py_DECREF(this.value.as_ptr()) };
    result
});
class!(Leaking, |this, visit| {
    let result = visit.call(&this.value);
    // SAFETY: the object is alive, and the thread is attached.
    unsafe { ffi::Py_INCREF(this.value.as_ptr()) };
    result
});
class!(LeakingUnseen, |this, visit| {
    // SAFETY: the object is alive, and the thread is attached.
    unsafe { ffi::Py_INCREF(this.value.as_ptr()) };
    visit.call(&None::<Py<PyAny>>)
});
class!(Panicking, |this, visit| {
    visit.call(&this.value)?;
    panic!("in a traverse")
});

/// What the audit finds while a class that keeps still holds the same object: that one isn't blamed.
fn unsteady(make: fn(Bound<'_, PyAny>) -> Bound<'_, PyAny>) -> Option<Unsteady> {
    alone(|py| {
        let value = object(py);
        let before = Steady::make(value.clone());
        let faulty = make(value.clone());
        let after = Steady::make(value.clone());
        let report = audit(py).unwrap();
        drop((before, after));
        assert_eq!(report.findings(), report.total(Kind::Unsteady), "{report}");
        assert!(report.total(Kind::Unsteady) <= 1, "{report}");
        let found = report.unsteady().next().cloned();
        if let Some(found) = &found {
            assert_eq!(found.address, faulty.as_ptr() as usize);
            assert_eq!(found.objects, 1);
        }
        found
    })
}

#[track_caller]
fn check(make: fn(Bound<'_, PyAny>) -> Bound<'_, PyAny>, type_name: &str, fault: &Fault, text: &str) {
    let found = unsteady(make).expect("it isn't found");
    assert_eq!((&*found.type_name, &found.fault), (type_name, fault));
    assert!(found.to_string().ends_with(text), "{found}");
}

fn references() -> Fault {
    Fault::References { of: "__main__.Object".into() }
}

#[test]
fn a_steady_class_is_not_found() {
    assert_eq!(unsteady(Steady::make), None);
}

#[test]
fn two_answers() {
    let own_type = own_type_visits();
    let (first, second) = (own_type, own_type + 1);
    let text = ": two calls of traverse in a row differ: ";
    let found = unsteady(EveryOtherTime::make).unwrap();
    assert_eq!(found.fault, Fault::Answers { first, second });
    assert!(found.to_string().contains(text), "{found}");
}

/// How often PyO3 shows the type of an instance.
fn own_type_visits() -> usize {
    alone(|py| {
        let steady = Steady::make(object(py));
        support::visits(&steady, steady.get_type().as_any())
    })
}

#[test]
fn a_balanced_pair_of_incref_and_decref() {
    check(
        Cloning::make,
        "unsteady.Cloning",
        &references(),
        ": traverse changes the reference count of __main__.Object",
    );
}

#[test]
fn a_reference_that_leaks() {
    check(
        Leaking::make,
        "unsteady.Leaking",
        &references(),
        ": traverse changes the reference count of __main__.Object",
    );
}

#[test]
fn a_reference_that_leaks_to_what_is_not_visited() {
    check(LeakingUnseen::make, "unsteady.LeakingUnseen", &references(), "count of __main__.Object");
}

#[test]
fn a_panic() {
    check(Panicking::make, "unsteady.Panicking", &Fault::Failed, ": traverse fails by itself");
}

#[test]
fn objects_that_do_alike_are_one_finding() {
    alone(|py| {
        let faulty = [(); 3].map(|()| EveryOtherTime::make(object(py)));
        let report = audit(py).unwrap();
        assert_eq!(
            (report.total(Kind::Unsteady), report.unsteady().next().unwrap().objects),
            (1, 3),
            "{report}"
        );
        assert!(faulty.iter().any(|it| it.as_ptr() as usize == report.unsteady().next().unwrap().address));
    });
}
