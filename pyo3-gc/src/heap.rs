//! What the audit and the tests of classes ask CPython about an object: what its `tp_traverse` visits, how many references
//! it has, what its type is called. None of it changes a reference count or runs Python code, but for the names.

use std::ffi::{CStr, c_int, c_void};
use std::sync::atomic::{AtomicU8, Ordering};

use pyo3::exceptions::PyNotImplementedError;
use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyType};

/// An object as the collector knows it.
pub(crate) type Object = *mut ffi::PyObject;

/// A type, to be compared and called; never dereferenced but by CPython.
pub(crate) type Type = *mut ffi::PyTypeObject;

/// Whether objects are those of a free-threaded build: before their type stand a thread, flags, a lock and two reference
/// counts, not one count (and on PyPy a link). The size tells; what PyO3's build scripts know about the interpreter doesn't
/// reach this crate with PyO3 0.28. An opaque object, of size 0, is `abi3t`'s, see [`require_cpython`].
pub(crate) const FREE_THREADED: bool = size_of::<ffi::PyObject>() > 3 * size_of::<usize>();

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
///
/// # Safety
///
/// The object is alive.
#[inline]
unsafe fn is_deferred(object: Object) -> bool {
    /// Where a free-threaded build has `ob_gc_bits`: behind the thread, 16 bits of flags and the lock. [CPython 3.13,
    /// Include/object.h]
    const GC_BITS_AT: usize = size_of::<usize>() + 3;
    /// `_PyGC_BITS_DEFERRED`. [CPython 3.13, `Include/internal/pycore_gc.h`]
    const DEFERRED: u8 = 64;

    FREE_THREADED && {
        // SAFETY: the object is alive by the promise of the caller, and begins with more bytes than these.
        let bits = unsafe { object.cast::<u8>().add(GC_BITS_AT) };
        // SAFETY: a byte of a live object. Others write it atomically. [CPython 3.13, Include/internal/pycore_gc.h]
        let bits = unsafe { AtomicU8::from_ptr(bits) };
        bits.load(Ordering::Relaxed) & DEFERRED != 0
    }
}

/// The type's `tp_traverse`.
///
/// # Safety
///
/// The type is alive, and the thread attached.
pub(crate) unsafe fn traverse_of(ty: Type) -> Option<ffi::traverseproc> {
    // SAFETY: the promise of the caller.
    let slot = unsafe { slot(ty, ffi::Py_tp_traverse, 23) };
    // SAFETY: this is the type of that slot, and null is `None`.
    unsafe { std::mem::transmute::<*mut c_void, Option<ffi::traverseproc>>(slot) }
}

/// The type's `tp_clear`.
///
/// # Safety
///
/// The type is alive, and the thread attached.
#[cfg(feature = "testing")]
pub(crate) unsafe fn clear_of(ty: Type) -> Option<ffi::inquiry> {
    // SAFETY: the promise of the caller.
    let slot = unsafe { slot(ty, ffi::Py_tp_clear, 24) };
    // SAFETY: this is the type of that slot, and null is `None`.
    unsafe { std::mem::transmute::<*mut c_void, Option<ffi::inquiry>>(slot) }
}

/// A slot of a type, as the stable ABI has it too. CPython 3.9 refuses to tell those of static types; there it is the word
/// at `place`, which doesn't change any more. [CPython 3.9, `PyType_GetSlot` in Objects/typeobject.c and
/// Include/cpython/object.h]
///
/// # Safety
///
/// The type is alive, and the thread attached.
unsafe fn slot(ty: Type, slot: c_int, place: usize) -> *mut c_void {
    // SAFETY: the type is alive.
    let is_static = unsafe { ffi::PyType_GetFlags(ty) } & ffi::Py_TPFLAGS_HEAPTYPE == 0;
    if is_static && is_3_9() {
        // SAFETY: a type of CPython 3.9 has more words than that.
        let slot = unsafe { ty.cast::<*mut c_void>().add(place) };
        // SAFETY: and this one is a pointer to a function, or null.
        return unsafe { slot.read() };
    }
    // SAFETY: the type is alive, and CPython tells the slots of any such type.
    unsafe { ffi::PyType_GetSlot(ty, slot) }
}

fn is_3_9() -> bool {
    // SAFETY: may always be called.
    let version = unsafe { ffi::Py_GetVersion() };
    // SAFETY: a string that is there as long as the interpreter.
    let version = unsafe { CStr::from_ptr(version) };
    version.to_bytes().starts_with(b"3.9.")
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
/// that tells the truth, and builds for `abi3t`, which can't know how objects begin.
pub(crate) fn require_cpython(py: Python<'_>, who: &str) -> PyResult<()> {
    let implementation = py.import(intern!(py, "sys"))?.getattr(intern!(py, "implementation"))?;
    let is_cpython = implementation.getattr(intern!(py, "name"))?.eq("cpython")?;
    if !is_cpython || size_of::<ffi::PyObject>() == 0 {
        let message = format!("{who} needs CPython, and a build for its own ABI or for abi3");
        return Err(PyNotImplementedError::new_err(message));
    }
    Ok(())
}
