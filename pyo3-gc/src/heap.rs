//! What the audit and the tests of classes ask CPython about an object: what its `tp_traverse` visits, how many references
//! it has. None of it changes a reference count or runs Python code.
//!
//! An [`Object`] and a [`Type`] are alive: they prove it where they are made, and needn't be trusted where they are used.

use std::ffi::{CStr, c_int, c_ulong, c_void};
use std::marker::PhantomData;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU8, Ordering};

use pyo3::exceptions::PyNotImplementedError;
use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyType;

/// Whether objects are those of a free-threaded build: before their type stand a thread, flags, a lock and two reference
/// counts, not one count (and on PyPy a link). The size tells; what PyO3's build scripts know about the interpreter doesn't
/// reach this crate with PyO3 0.28. An opaque object, of size 0, is `abi3t`'s, see [`require_cpython`].
pub(crate) const FREE_THREADED: bool = size_of::<ffi::PyObject>() > 3 * size_of::<usize>();

/// An object that is alive for `'a`, on a thread that stays attached for as long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Object<'a>(NonNull<ffi::PyObject>, PhantomData<&'a ffi::PyObject>);

impl<'a> Object<'a> {
    /// # Safety
    ///
    /// The object is alive for `'a`, and the thread stays attached for as long.
    #[inline]
    pub(crate) unsafe fn new(object: NonNull<ffi::PyObject>) -> Self {
        Self(object, PhantomData)
    }

    /// What `object` keeps alive.
    pub(crate) fn of<T>(object: &'a Bound<'_, T>) -> Self {
        // SAFETY: `object` points to what it owns a reference to.
        let pointer = unsafe { NonNull::new_unchecked(object.as_ptr()) };
        // SAFETY: it owns the reference for `'a`, and says that the thread is attached.
        unsafe { Self::new(pointer) }
    }

    #[inline]
    pub(crate) fn as_ptr(self) -> *mut ffi::PyObject {
        self.0.as_ptr()
    }

    /// A reference to it.
    pub(crate) fn to_bound(self, py: Python<'_>) -> Bound<'_, PyAny> {
        // SAFETY: the object is alive.
        unsafe { Bound::from_borrowed_ptr(py, self.as_ptr()) }
    }

    #[inline]
    pub(crate) fn ty(self) -> Type<'a> {
        // SAFETY: the object is alive.
        let ty = unsafe { ffi::Py_TYPE(self.as_ptr()) };
        // SAFETY: no object is without a type.
        let ty = unsafe { NonNull::new_unchecked(ty) };
        // SAFETY: an object owns a reference to its type, which outlives it, or the type is static.
        unsafe { Type::new(ty) }
    }

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
    pub(crate) fn as_non_null(self) -> NonNull<ffi::PyObject> {
        self.0
    }

    #[inline]
    pub(crate) fn address(self) -> usize {
        self.0.as_ptr() as usize
    }

    /// The object as a type, if it is one.
    pub(crate) fn as_type(self) -> Option<Type<'a>> {
        // SAFETY: the object is alive.
        let is_type = unsafe { ffi::PyType_Check(self.as_ptr()) } != 0;
        // SAFETY: alive as the object is, which it is.
        is_type.then(|| unsafe { Type::new(self.0.cast()) })
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

/// A type that is alive for `'a`, on a thread that stays attached for as long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Type<'a>(NonNull<ffi::PyTypeObject>, PhantomData<&'a ffi::PyObject>);

impl<'a> Type<'a> {
    /// # Safety
    ///
    /// The type is ready, and alive for `'a`, and the thread stays attached for as long.
    #[inline]
    pub(crate) unsafe fn new(ty: NonNull<ffi::PyTypeObject>) -> Self {
        Self(ty, PhantomData)
    }

    /// What `ty` keeps alive.
    pub(crate) fn of(ty: &'a Bound<'_, PyType>) -> Self {
        Self(Object::of(ty).0.cast(), PhantomData)
    }

    /// Whether the type has one of the flags `Py_TPFLAGS_…`.
    pub(crate) fn has(self, flag: c_ulong) -> bool {
        // SAFETY: the type is alive.
        let flags = unsafe { ffi::PyType_GetFlags(self.0.as_ptr()) };
        flags & flag != 0
    }

    /// Whether it was made at run time, so that each instance owns a reference to it.
    pub(crate) fn is_heap_type(self) -> bool {
        self.has(ffi::Py_TPFLAGS_HEAPTYPE)
    }

    /// How the collector asks its instances, if it knows them.
    pub(crate) fn traverse(self) -> Option<Traverse<'a>> {
        if !self.has(ffi::Py_TPFLAGS_HAVE_GC) {
            return None;
        }
        // SAFETY: this is the type of that slot, and null is `None`.
        let function = unsafe {
            std::mem::transmute::<*mut c_void, Option<ffi::traverseproc>>(self.slot(ffi::Py_tp_traverse, 23))
        };
        // SAFETY: as above.
        let is_gc = unsafe {
            std::mem::transmute::<*mut c_void, Option<ffi::inquiry>>(self.slot(ffi::Py_tp_is_gc, 41))
        };
        Some(Traverse { of: self, function: function?, is_gc })
    }

    /// The type's `tp_clear`.
    #[cfg(feature = "testing")]
    pub(crate) fn clear(self) -> Option<ffi::inquiry> {
        // SAFETY: this is the type of that slot, and null is `None`.
        unsafe { std::mem::transmute::<*mut c_void, Option<ffi::inquiry>>(self.slot(ffi::Py_tp_clear, 24)) }
    }

    /// A slot of the type, as the stable ABI has it too. CPython 3.9 refuses to tell those of static types; there it is the
    /// word at `place`, which doesn't change any more. [CPython 3.9, `PyType_GetSlot` in Objects/typeobject.c and
    /// Include/cpython/object.h]
    fn slot(self, slot: c_int, place: usize) -> *mut c_void {
        if !self.is_heap_type() && is_3_9() {
            // SAFETY: a type of CPython 3.9 has more words than that.
            let slot = unsafe { self.0.as_ptr().cast::<*mut c_void>().add(place) };
            // SAFETY: and this one is a pointer to a function, or null.
            return unsafe { slot.read() };
        }
        // SAFETY: the type is alive, and CPython tells the slots of any such type.
        unsafe { ffi::PyType_GetSlot(self.0.as_ptr(), slot) }
    }
}

#[cfg(feature = "audit")]
impl<'a> Type<'a> {
    #[inline]
    pub(crate) fn as_object(self) -> Object<'a> {
        Object(self.0.cast(), PhantomData)
    }

    #[inline]
    pub(crate) fn address(self) -> usize {
        self.as_object().address()
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

fn is_3_9() -> bool {
    // SAFETY: may always be called.
    let version = unsafe { ffi::Py_GetVersion() };
    // SAFETY: a string that is there as long as the interpreter.
    let version = unsafe { CStr::from_ptr(version) };
    version.to_bytes().starts_with(b"3.9.")
}

/// The `tp_traverse` of a type that the collector knows.
#[derive(Clone, Copy)]
pub(crate) struct Traverse<'a> {
    of: Type<'a>,
    function: ffi::traverseproc,
    /// Tells of each instance whether the collector knows it; of `type` it knows those made at run time only.
    is_gc: Option<ffi::inquiry>,
}

impl Traverse<'_> {
    /// Shows `see` each object that the traverse of `object` visits. Whether it succeeded; `see` never stops it.
    #[inline]
    pub(crate) fn call<F: FnMut(Object<'_>)>(self, object: Object<'_>, see: &mut F) -> bool {
        self.call_with(object, &mut |target| {
            see(target);
            0
        }) == 0
    }

    /// Shows `see` each object that the traverse of `object` visits, until it answers something else than 0. What the
    /// traverse returns. Objects of another type visit nothing, nor do those that the collector mustn't ask.
    ///
    /// What is visited is alive while `see` looks at it: a traverse that shows others is one that the collector can't call
    /// either.
    #[inline]
    pub(crate) fn call_with<F: FnMut(Object<'_>) -> c_int>(self, object: Object<'_>, see: &mut F) -> c_int {
        unsafe extern "C" fn visit<F: FnMut(Object<'_>) -> c_int>(
            object: *mut ffi::PyObject,
            see: *mut c_void,
        ) -> c_int {
            // SAFETY: `see` is what is passed below, borrowed for the time of the call. Should it panic, the process
            // aborts.
            let see = unsafe { &mut *see.cast::<F>() };
            let Some(object) = NonNull::new(object) else { return 0 };
            // SAFETY: what is visited is alive, as said above, and the lifetime no longer than the visit.
            see(unsafe { Object::new(object) })
        }
        // SAFETY: the object is alive, and of the type that this is asked of.
        let is_known = |is_gc: ffi::inquiry| unsafe { is_gc(object.as_ptr()) != 0 };
        if object.ty() != self.of || !self.is_gc.is_none_or(is_known) {
            return 0;
        }
        // SAFETY: the object is alive, the thread attached, the function that of the object's type, and the collector calls
        // it, too; `visit` gets the closure that it casts to.
        unsafe { (self.function)(object.as_ptr(), visit::<F>, std::ptr::from_mut(see).cast()) }
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
