//! What the audit and the tests of classes ask CPython about an object: what its `tp_traverse` visits, how many references
//! it has, what its type is called. None of it changes a reference count or runs Python code, but for the names.

use std::ffi::{c_int, c_void};

use pyo3::exceptions::PyNotImplementedError;
use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyType};

/// An object as the collector knows it.
pub(crate) type Object = *mut ffi::PyObject;

/// A type, to be compared and called; never dereferenced but by CPython.
pub(crate) type Type = *mut ffi::PyTypeObject;

/// The type of an object.
///
/// # Safety
///
/// The object is alive, and the thread attached.
#[inline]
pub(crate) unsafe fn type_of(object: Object) -> Type {
    // SAFETY: the caller's promise.
    unsafe { ffi::Py_TYPE(object) }
}

/// How many references there are to the object; `None` if they aren't counted: an immortal object, or one whose count is
/// deferred in a free-threaded build.
///
/// # Safety
///
/// The object is alive, and the thread attached.
#[inline]
pub(crate) unsafe fn references(object: Object) -> Option<u32> {
    // SAFETY: the caller's promise.
    if unsafe { is_deferred(object) } {
        return None;
    }
    // SAFETY: the caller's promise.
    let count = unsafe { ffi::Py_REFCNT(object) };
    // From 3.14 on the upper half of the word holds flags, which the binding, built for an older version, takes for a
    // part of the count. [CPython, Include/refcount.h]
    #[allow(
        clippy::cast_sign_loss,
        clippy::cast_possible_truncation,
        reason = "the lower half is what is meant"
    )]
    let count = count as u32;
    (count < IMMORTAL).then_some(count)
}

/// From here on an object is immortal on CPython 3.12 and later, whatever the version and the width of a pointer; no
/// program has half a thousand million references to one object.
const IMMORTAL: u32 = 1 << 29;

/// Whether the references of stack frames, and of other threads, to this object aren't in its count.
#[cfg(all(Py_GIL_DISABLED, not(Py_LIMITED_API)))]
unsafe fn is_deferred(object: Object) -> bool {
    /// `_PyGC_BITS_DEFERRED`. [CPython 3.13, Include/internal/pycore_gc.h]
    const DEFERRED: u8 = 64;
    // SAFETY: the object is alive by the promise of the caller, and the field is its own.
    let bits = unsafe { (*object).ob_gc_bits };
    bits & DEFERRED != 0
}

#[cfg(not(all(Py_GIL_DISABLED, not(Py_LIMITED_API))))]
unsafe fn is_deferred(_: Object) -> bool {
    false
}

/// The type's `tp_traverse`.
///
/// # Safety
///
/// The type is alive, and the thread attached.
pub(crate) unsafe fn traverse_of(ty: Type) -> Option<ffi::traverseproc> {
    #[cfg(not(Py_LIMITED_API))]
    {
        // SAFETY: the type is alive, by the promise of the caller; a ready type's slots don't change.
        unsafe { (*ty).tp_traverse }
    }
    #[cfg(Py_LIMITED_API)]
    {
        // SAFETY: the type is alive, by the promise of the caller. Static types may be asked from 3.10 on.
        let slot = unsafe { ffi::PyType_GetSlot(ty, ffi::Py_tp_traverse) };
        // SAFETY: this is the type of that slot, and null is `None`.
        unsafe { std::mem::transmute::<*mut c_void, Option<ffi::traverseproc>>(slot) }
    }
}

/// Shows `see` each object that `object`'s `tp_traverse` visits, and returns what it returned: 0, unless the traverse
/// failed on its own.
///
/// # Safety
///
/// `object` is alive, `traverse` its type's, the thread attached. `see` doesn't panic.
#[inline]
pub(crate) unsafe fn visits<F: FnMut(Object)>(
    object: Object,
    traverse: ffi::traverseproc,
    see: &mut F,
) -> c_int {
    unsafe extern "C" fn visit<F: FnMut(Object)>(object: Object, see: *mut c_void) -> c_int {
        // SAFETY: `see` is what is passed below, borrowed for the time of the call.
        let see = unsafe { &mut *see.cast::<F>() };
        see(object);
        0
    }
    // SAFETY: the promise of the caller; `visit` gets the closure that it casts to.
    unsafe { traverse(object, visit::<F>, std::ptr::from_mut(see).cast()) }
}

/// Names types without asking their metaclass, which could run Python code: through the getters of `type` itself.
pub(crate) struct TypeNames<'py> {
    module: Bound<'py, PyAny>,
    qualname: Bound<'py, PyAny>,
}

impl<'py> TypeNames<'py> {
    pub(crate) fn new(py: Python<'py>) -> PyResult<Self> {
        let getters = py.get_type::<PyType>().getattr(intern!(py, "__dict__"))?;
        Ok(Self {
            module: getters.get_item(intern!(py, "__module__"))?,
            qualname: getters.get_item(intern!(py, "__qualname__"))?,
        })
    }

    /// `module.QualName`; without the module for builtins.
    pub(crate) fn of(&self, ty: &Bound<'py, PyType>) -> String {
        let get = |getter: &Bound<'py, PyAny>| {
            let name = getter.call_method1(intern!(ty.py(), "__get__"), (ty,)).ok()?;
            name.cast_into_exact::<PyString>().ok()?.extract::<String>().ok()
        };
        let name = get(&self.qualname).unwrap_or_else(|| "a type without a name".to_owned());
        match get(&self.module) {
            Some(module) if module != "builtins" => format!("{module}.{name}"),
            _ => name,
        }
    }
}

/// Refuses interpreters that `who` can't ask: others than CPython, whose objects have reference counts and a `tp_traverse`
/// that tells the truth, and those that don't let an abi3 build read the slots of static types. [CPython,
/// `PyType_GetSlot`]
pub(crate) fn require_cpython(py: Python<'_>, who: &str) -> PyResult<()> {
    let implementation = py.import(intern!(py, "sys"))?.getattr(intern!(py, "implementation"))?;
    let is_cpython = implementation.getattr(intern!(py, "name"))?.eq("cpython")?;
    if !is_cpython || cfg!(Py_LIMITED_API) && py.version_info() < (3, 10) {
        let message = format!("{who} needs CPython, from 3.10 on in an abi3 build");
        return Err(PyNotImplementedError::new_err(message));
    }
    Ok(())
}
