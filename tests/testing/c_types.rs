//! `check_class` and classes that are written in C, or as if they were.

use std::ffi::{CStr, c_int, c_void};
use std::{mem, ptr};

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyType;
use pyo3_gc::testing::{ClassReport, Fault, check_class};

use crate::broken::pyo3_visits_the_type;

/// An instance: the head of each object, and what it holds.
#[repr(C)]
struct Holder {
    _head: ffi::PyObject,
    held: *mut ffi::PyObject,
}

/// Visits what the instance holds, but not its type.
unsafe extern "C" fn traverse(object: *mut ffi::PyObject, visit: ffi::visitproc, arg: *mut c_void) -> c_int {
    // SAFETY: an instance begins with a `Holder`, by the size in the specification.
    let held = unsafe { (*object.cast::<Holder>()).held };
    if held.is_null() {
        return 0;
    }
    // SAFETY: the object is owned, and `arg` is the visitor's.
    unsafe { visit(held, arg) }
}

unsafe extern "C" fn traverse_with_type(
    object: *mut ffi::PyObject,
    visit: ffi::visitproc,
    arg: *mut c_void,
) -> c_int {
    // SAFETY: the instance is alive.
    let ty = unsafe { ffi::Py_TYPE(object) };
    // SAFETY: an instance owns a reference to its type.
    match unsafe { visit(ty.cast(), arg) } {
        // SAFETY: the promise of the caller.
        0 => unsafe { traverse(object, visit, arg) },
        error => error,
    }
}

unsafe extern "C" fn clear(object: *mut ffi::PyObject) -> c_int {
    // SAFETY: an instance begins with a `Holder`, which nobody else borrows.
    let holder = unsafe { &mut *object.cast::<Holder>() };
    let held = mem::replace(&mut holder.held, ptr::null_mut());
    // SAFETY: the reference was owned.
    unsafe { ffi::Py_XDECREF(held) };
    0
}

unsafe extern "C" fn dealloc(object: *mut ffi::PyObject) {
    // SAFETY: the instance is alive still, and of the type `Py_TYPE` says.
    let ty = unsafe { ffi::Py_TYPE(object) };
    // SAFETY: as above.
    let is_gc = unsafe { ffi::PyType_GetFlags(ty) } & ffi::Py_TPFLAGS_HAVE_GC != 0;
    if is_gc {
        // SAFETY: as above, and the type is a GC type.
        unsafe { ffi::PyObject_GC_UnTrack(object.cast()) };
    }
    // SAFETY: as above.
    unsafe { clear(object) };
    if is_gc {
        // SAFETY: it was made by `PyType_GenericAlloc`, and isn't used any more.
        unsafe { ffi::PyObject_GC_Del(object.cast()) };
    } else {
        // SAFETY: as above.
        unsafe { ffi::PyObject_Free(object.cast()) };
    }
    // SAFETY: the instance owned a reference to its type.
    unsafe { ffi::Py_DECREF(ty.cast()) };
}

/// Checks a class with this traverse and these flags.
fn check(name: &CStr, traverse: ffi::traverseproc, flags: std::ffi::c_ulong) -> ClassReport {
    let slot = |slot, pfunc: *mut c_void| ffi::PyType_Slot { slot, pfunc };
    let mut slots = [
        slot(ffi::Py_tp_traverse, traverse as *mut c_void),
        slot(ffi::Py_tp_clear, clear as *mut c_void),
        slot(ffi::Py_tp_dealloc, dealloc as *mut c_void),
        slot(0, ptr::null_mut()),
    ];
    let mut spec = ffi::PyType_Spec {
        name: name.as_ptr(),
        basicsize: size_of::<Holder>().try_into().unwrap(),
        itemsize: 0,
        flags: (ffi::Py_TPFLAGS_DEFAULT | flags).try_into().unwrap(),
        slots: slots.as_mut_ptr(),
    };
    Python::attach(|py| {
        // SAFETY: the specification is complete.
        let class = unsafe { ffi::PyType_FromSpec(&raw mut spec) };
        // SAFETY: what it returns is owned, or null with an exception.
        let class =
            unsafe { Bound::from_owned_ptr_or_err(py, class) }.unwrap().cast_into::<PyType>().unwrap();
        let report = check_class(py, |sentinels| {
            let instance = class.call0()?;
            // SAFETY: an instance begins with a `Holder`, filled with zeros by `PyType_GenericAlloc`.
            let held = unsafe { &raw mut (*instance.as_ptr().cast::<Holder>()).held };
            let object = sentinels.object("held")?.into_ptr();
            // SAFETY: as above; nobody else knows the instance.
            unsafe { held.write(object) };
            Ok(instance)
        });
        report.unwrap()
    })
}

#[test]
fn nothing_is_wrong_with_hooks_as_they_should_be() {
    check(c"c.Right", traverse_with_type, ffi::Py_TPFLAGS_HAVE_GC).assert_correct();
}

#[test]
fn a_traverse_without_the_flag_is_never_called() {
    let report = check(c"c.Unflagged", traverse_with_type, 0);
    assert_eq!(report.class, "c.Unflagged");
    assert_eq!(report.faults, [Fault::NoTraverse { holds: vec!["held".into()] }]);
}

#[test]
fn the_type_is_not_visited() {
    let faults = check(c"c.WithoutType", traverse, ffi::Py_TPFLAGS_HAVE_GC).faults;
    if Python::attach(pyo3_visits_the_type) == 1 {
        assert_eq!(faults, [Fault::TypeVisits { expected: 1, visits: 0 }]);
    } else {
        assert_eq!(faults, [], "no class of this PyO3 does better");
    }
}
