//! The audit finds types whose instances don't visit their type as they should.

use std::ffi::{c_int, c_void};

use pyo3::prelude::*;
use pyo3::types::PyType;
use pyo3::{PyTraverseError, PyVisit, ffi};
use pyo3_gc::audit::{Audit, Report, audit};

use crate::support::{self, alone};

/// Visits its type, beside what PyO3 does.
#[pyo3::pyclass(module = "types_")]
struct Again {
    times: usize,
    /// A reference of its own.
    class: Option<Py<PyType>>,
}

#[pyo3::pymethods]
impl Again {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        #[allow(clippy::clone_on_copy, reason = "Copy from PyO3 0.30 on")]
        (0..self.times).try_for_each(|_| visit.clone().call(&self.class))
    }
}

fn instances(py: Python<'_>, times: usize) -> [Bound<'_, Again>; 8] {
    let class = py.get_type::<Again>();
    [(); 8].map(|()| Bound::new(py, Again { times, class: Some(class.clone().unbind()) }).unwrap())
}

/// What the report says of the types of this file: instances, expected visits, visits.
fn found(report: &Report) -> Vec<(&str, usize, usize, usize)> {
    let found = report.type_visits();
    found.map(|it| (&*it.type_name, it.objects, it.expected, it.visits)).collect()
}

/// How often PyO3 visits the type: from 0.30 on once, before not at all.
fn by_pyo3(py: Python<'_>) -> usize {
    let instance = Bound::new(py, Again { times: 0, class: None }).unwrap();
    support::visits(instance.as_any(), instance.get_type().as_any())
}

#[test]
fn a_type_held_as_a_value_may_be_visited_again() {
    alone(|py| {
        let instances = instances(py, 1);
        audit(py).unwrap().assert_clean();
        drop(instances);
    });
}

#[test]
fn a_type_visited_too_often() {
    alone(|py| {
        // As often on every PyO3, and more often than there are references.
        let instances = instances(py, 4 - by_pyo3(py));
        let report = audit(py).unwrap();
        assert_eq!(found(&report), [("types_.Again", 8, 1, 4)], "{report}");
        let text = report.to_string();
        assert!(text.contains("types_.Again, 8 objects: 4 visits of the type, where 1 is right"), "{text}");
        drop(instances);
    });
}

#[test]
fn a_type_never_visited_is_a_leak_suspect() {
    alone(|py| {
        // SAFETY: the slots are of the types that their numbers stand for, and end with a zero; the name ends with one.
        let class = unsafe { class_without_type_visit(py) };
        let instance = class.call0().unwrap();
        assert_eq!(support::visits(&instance, &class), 0);
        audit(py).unwrap().assert_clean();
        let never = |report: &Report| found(report).contains(&("types_.Never", 1, 1, 0));
        // As long as something else keeps the type, it can't be collected in any case.
        let report = Audit::new().suspects("types_").run(py).unwrap();
        assert!(cfg!(Py_GIL_DISABLED) || !never(&report), "{report}");
        drop(class);
        let report = Audit::new().suspects("types_").run(py).unwrap();
        assert!(never(&report), "{report}");
        let report = Audit::new().suspects("types_.Again").run(py).unwrap();
        assert!(!never(&report), "{report}");
    });
}

/// A heap type with a traverse that visits nothing.
unsafe fn class_without_type_visit(py: Python<'_>) -> Bound<'_, PyAny> {
    unsafe extern "C" fn traverse(_: *mut ffi::PyObject, _: ffi::visitproc, _: *mut c_void) -> c_int {
        0
    }
    let slot = |slot, pfunc| ffi::PyType_Slot { slot, pfunc };
    let mut slots = [slot(ffi::Py_tp_traverse, traverse as *mut c_void), slot(0, std::ptr::null_mut())];
    let flags = ffi::Py_TPFLAGS_DEFAULT | ffi::Py_TPFLAGS_HAVE_GC;
    let mut spec = ffi::PyType_Spec {
        name: c"types_.Never".as_ptr(),
        basicsize: i32::try_from(size_of::<ffi::PyObject>()).unwrap(),
        itemsize: 0,
        flags: u32::try_from(flags).unwrap(),
        slots: slots.as_mut_ptr(),
    };
    // SAFETY: the caller's promise.
    let class = unsafe { ffi::PyType_FromSpec(&raw mut spec) };
    // SAFETY: a new reference, or null and an exception.
    unsafe { Bound::from_owned_ptr(py, class) }
}
