//! What CPython says of an object, without a change of a reference count, and without running Python code.
//!
//! An [`Object`] and a [`Type`] are alive: they prove it where they are made, and needn't be trusted where they are used.

use std::ffi::{CStr, c_int, c_ulong, c_void};
use std::marker::PhantomData;
use std::ptr::NonNull;
use std::sync::OnceLock;

use pyo3::ffi;
use pyo3::prelude::*;

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
    pub(crate) fn as_non_null(self) -> NonNull<ffi::PyObject> {
        self.0
    }

    #[inline]
    pub(crate) fn as_ptr(self) -> *mut ffi::PyObject {
        self.as_non_null().as_ptr()
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

    #[inline]
    pub(crate) fn is_type(self) -> bool {
        // SAFETY: the object is alive.
        unsafe { ffi::PyType_Check(self.as_ptr()) != 0 }
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

    #[inline]
    pub(crate) fn as_non_null(self) -> NonNull<ffi::PyTypeObject> {
        self.0
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
    pub(crate) fn slot(self, slot: c_int, place: usize) -> *mut c_void {
        if !self.is_heap_type() && is_3_9() {
            // SAFETY: a type of CPython 3.9 has more words than that.
            let slot = unsafe { self.as_non_null().as_ptr().cast::<*mut c_void>().add(place) };
            // SAFETY: and this one is a pointer to a function, or null.
            return unsafe { slot.read() };
        }
        // SAFETY: the type is alive, and CPython tells the slots of any such type.
        unsafe { ffi::PyType_GetSlot(self.0.as_ptr(), slot) }
    }
}

/// Asked once: CPython writes the text anew each time.
fn is_3_9() -> bool {
    static IS_3_9: OnceLock<bool> = OnceLock::new();
    *IS_3_9.get_or_init(|| {
        // SAFETY: may always be called.
        let version = unsafe { ffi::Py_GetVersion() };
        // SAFETY: a string that is there as long as the interpreter.
        let version = unsafe { CStr::from_ptr(version) };
        version.to_bytes().starts_with(b"3.9.")
    })
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
        // SAFETY: `visit` gets the closure that it casts to.
        unsafe { self.call_by(object, visit::<F>, std::ptr::from_mut(see).cast()) }
    }

    /// Has `visit` called, with `argument`, for each object that the traverse of `object` visits.
    ///
    /// # Safety
    ///
    /// `visit` may be called with `argument` and each of these objects.
    #[inline]
    pub(crate) unsafe fn call_by(
        self,
        object: Object<'_>,
        visit: ffi::visitproc,
        argument: *mut c_void,
    ) -> c_int {
        // SAFETY: the object is alive, and of the type that this is asked of.
        let is_known = |is_gc: ffi::inquiry| unsafe { is_gc(object.as_ptr()) != 0 };
        if object.ty() != self.of || !self.is_gc.is_none_or(is_known) {
            return 0;
        }
        // SAFETY: the object is alive, the thread attached, the function that of the object's type, and the collector calls
        // it, too; the rest is the promise of the caller.
        unsafe { (self.function)(object.as_ptr(), visit, argument) }
    }
}
