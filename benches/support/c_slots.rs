//! The class that `Linked` would be in C: `PyType_FromSpec` with its own slots, nothing of PyO3's in between.

use std::ffi::{c_int, c_uint, c_void};
use std::mem;
use std::ptr;

use pyo3::ffi;
use pyo3::prelude::*;

#[repr(C)]
struct Node {
    head: ffi::PyObject,
    previous: *mut ffi::PyObject,
    next: *mut ffi::PyObject,
    payload: u64,
}

/// The class.
pub(crate) fn class(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    let mut slots = [
        ffi::PyType_Slot { slot: ffi::Py_tp_traverse, pfunc: traverse as ffi::traverseproc as *mut c_void },
        ffi::PyType_Slot { slot: ffi::Py_tp_clear, pfunc: clear as ffi::inquiry as *mut c_void },
        ffi::PyType_Slot { slot: ffi::Py_tp_dealloc, pfunc: dealloc as ffi::destructor as *mut c_void },
        ffi::PyType_Slot { slot: 0, pfunc: ptr::null_mut() },
    ];
    let mut spec = ffi::PyType_Spec {
        name: c"benches.CSlots".as_ptr(),
        basicsize: mem::size_of::<Node>().try_into()?,
        itemsize: 0,
        flags: c_uint::try_from(ffi::Py_TPFLAGS_DEFAULT | ffi::Py_TPFLAGS_HAVE_GC)?,
        slots: slots.as_mut_ptr(),
    };
    // SAFETY: the thread is attached. The name is static, the slots end with a zero and hold functions of the types
    // that they ask for, and the size is that of the struct that these functions cast to.
    let class = unsafe { ffi::PyType_FromSpec(&raw mut spec) };
    // SAFETY: a new reference, or null with an exception set.
    unsafe { Bound::from_owned_ptr_or_err(py, class) }
}

/// An instance that is linked to nothing.
pub(crate) fn alone<'py>(class: &Bound<'py, PyAny>) -> Bound<'py, PyAny> {
    // SAFETY: only called with what `class` returns. The memory comes zeroed: null links and no payload.
    let node = unsafe { ffi::PyType_GenericAlloc(class.as_ptr().cast(), 0) };
    // SAFETY: a new reference, or null with an exception set.
    unsafe { Bound::from_owned_ptr_or_err(class.py(), node) }.expect("an instance")
}

/// Links two neighbours of a ring.
pub(crate) fn join(left: &Bound<'_, PyAny>, right: &Bound<'_, PyAny>) {
    // SAFETY: only called with instances that `alone` has made, by a thread that is attached and lends neither on.
    let next = unsafe { &mut (*left.as_ptr().cast::<Node>()).next };
    assert!(next.is_null());
    *next = right.clone().into_ptr();
    // SAFETY: as above; the borrow of the other one is over.
    let previous = unsafe { &mut (*right.as_ptr().cast::<Node>()).previous };
    assert!(previous.is_null());
    *previous = left.clone().into_ptr();
}

unsafe extern "C" fn traverse(slf: *mut ffi::PyObject, visit: ffi::visitproc, arg: *mut c_void) -> c_int {
    // SAFETY: the interpreter calls the slot with an instance, and lets nothing else touch it meanwhile.
    let node = unsafe { &*slf.cast::<Node>() };
    // SAFETY: as above. A heap type's instance owns its type.
    let class = unsafe { ffi::Py_TYPE(slf) };
    for object in [node.previous, node.next, class.cast()] {
        if object.is_null() {
            continue;
        }
        // SAFETY: the visitor and its argument belong together, and the object is alive, since the node owns it.
        let error = unsafe { visit(object, arg) };
        if error != 0 {
            return error;
        }
    }
    0
}

unsafe extern "C" fn clear(slf: *mut ffi::PyObject) -> c_int {
    let node = slf.cast::<Node>();
    // SAFETY: the slot is called with an instance by a thread that is attached. The borrow ends here, before a
    // destructor can come back to the node.
    let previous = mem::replace(unsafe { &mut (*node).previous }, ptr::null_mut());
    // SAFETY: the reference was the node's, or null; the caller holds one to the node itself.
    unsafe { ffi::Py_XDECREF(previous) };
    // SAFETY: as above.
    let next = mem::replace(unsafe { &mut (*node).next }, ptr::null_mut());
    // SAFETY: as above.
    unsafe { ffi::Py_XDECREF(next) };
    0
}

unsafe extern "C" fn dealloc(slf: *mut ffi::PyObject) {
    // SAFETY: the slot is called with an instance, tracked since it was allocated.
    unsafe { ffi::PyObject_GC_UnTrack(slf.cast()) };
    // SAFETY: its fields are still there.
    unsafe { clear(slf) };
    // SAFETY: as above.
    let class = unsafe { ffi::Py_TYPE(slf) };
    // SAFETY: nobody refers to it any more, and it was allocated with the collector's header.
    unsafe { ffi::PyObject_GC_Del(slf.cast()) };
    // SAFETY: the instance's reference to its type goes with the instance.
    unsafe { ffi::Py_DECREF(class.cast()) };
}
