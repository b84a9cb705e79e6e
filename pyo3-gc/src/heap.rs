//! What the audit and the tests of classes ask CPython about an object beside that.

use std::sync::atomic::{AtomicU8, Ordering};

use pyo3::exceptions::PyNotImplementedError;
use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyType;

pub(crate) use crate::objects::{Object, Traverse, Type};

/// Whether objects are those of a free-threaded build: before their type stand a thread, flags, a lock and two reference
/// counts, not one count (and on PyPy a link). The size tells; what PyO3's build scripts know about the interpreter doesn't
/// reach this crate with PyO3 0.28. An opaque object, of size 0, is `abi3t`'s, see [`require_cpython`].
pub(crate) const FREE_THREADED: bool = size_of::<ffi::PyObject>() > 3 * size_of::<usize>();

impl Object<'_> {
    /// How many references there are to the object; `None` if they aren't counted: an immortal object, or one whose count
    /// is deferred in a free-threaded build.
    #[inline]
    pub(crate) fn references(self) -> Option<u32> {
        /// From here on an object is immortal on CPython 3.12 and later, whatever the version and the width of a pointer;
        /// no program has half a thousand million references to one object.
        const IMMORTAL: u32 = 1 << 29;

        if self.is_deferred() {
            return None;
        }
        // SAFETY: the object is alive.
        let count = unsafe { ffi::Py_REFCNT(self.as_ptr()) };
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

    /// Whether the references of stack frames, and of other threads, to this object aren't in its count.
    #[inline]
    fn is_deferred(self) -> bool {
        /// Where a free-threaded build has `ob_gc_bits`: behind the thread, 16 bits of flags and the lock. [CPython 3.13,
        /// Include/object.h]
        const GC_BITS_AT: usize = size_of::<usize>() + 3;
        /// `_PyGC_BITS_DEFERRED`. [CPython 3.13, `Include/internal/pycore_gc.h`]
        const DEFERRED: u8 = 64;

        FREE_THREADED && {
            // SAFETY: the object is alive, and begins with more bytes than these.
            let bits = unsafe { self.as_ptr().cast::<u8>().add(GC_BITS_AT) };
            // SAFETY: a byte of a live object. Others write it atomically. [CPython 3.13,
            // Include/internal/pycore_gc.h]
            let bits = unsafe { AtomicU8::from_ptr(bits) };
            bits.load(Ordering::Relaxed) & DEFERRED != 0
        }
    }
}

#[cfg(feature = "audit")]
impl<'a> Object<'a> {
    #[inline]
    pub(crate) fn address(self) -> usize {
        self.as_ptr() as usize
    }

    /// The object as a type, if it is one.
    pub(crate) fn as_type(self) -> Option<Type<'a>> {
        // SAFETY: alive as the object is, which it is.
        self.is_type().then(|| unsafe { Type::new(self.as_non_null().cast()) })
    }

    /// Whether the collector tracks the object.
    pub(crate) fn is_tracked(self) -> bool {
        // SAFETY: the object is alive; those that the collector doesn't know are answered for.
        unsafe { ffi::PyObject_GC_IsTracked(self.as_ptr()) != 0 }
    }

    /// Shows `see` each object that the `tp_traverse` of this one visits, if the collector may call it.
    pub(crate) fn visits(self, see: &mut impl FnMut(Object<'_>)) {
        if let Some(traverse) = self.ty().traverse() {
            traverse.call(self, see);
        }
    }
}

impl<'a> Type<'a> {
    /// What `ty` keeps alive.
    pub(crate) fn of(ty: &'a Bound<'_, PyType>) -> Self {
        // SAFETY: a type, and alive for as long as the object that it is.
        unsafe { Self::new(Object::of(ty).as_non_null().cast()) }
    }
}

#[cfg(feature = "audit")]
impl<'a> Type<'a> {
    #[inline]
    pub(crate) fn as_object(self) -> Object<'a> {
        // SAFETY: alive for as long as the type.
        unsafe { Object::new(self.as_non_null().cast()) }
    }

    #[inline]
    pub(crate) fn address(self) -> usize {
        self.as_object().address()
    }

    /// What it inherits its instances' memory from.
    pub(crate) fn base(self) -> Option<Self> {
        let base = std::ptr::NonNull::new(self.slot(ffi::Py_tp_base, 32))?;
        // SAFETY: a type owns a reference to its base, which is ready before it.
        Some(unsafe { Self::new(base.cast()) })
    }

    /// The address of its `tp_dealloc`, which tells whose code it is.
    pub(crate) fn dealloc(self) -> usize {
        self.slot(ffi::Py_tp_dealloc, 6) as usize
    }

    /// A reference to it.
    pub(crate) fn to_bound(self, py: Python<'_>) -> Bound<'_, PyType> {
        // SAFETY: a type is one.
        unsafe { self.as_object().to_bound(py).cast_into_unchecked() }
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
