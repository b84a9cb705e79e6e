//! What keeps the destructors of a long chain off the stack.
//!
//! Dropped by its first link, a chain of objects is dropped recursively: each destructor drops the next link. CPython's
//! containers prevent that with the trashcan. PyO3's `tp_dealloc` doesn't, and CPython itself only from 3.14 on. A container
//! between two links is no help in 3.13, whose trashcan lets some thousand destructors of containers run within one another
//! and doesn't count those of other classes. [CPython 3.11 and 3.13, `Py_TRASHCAN_BEGIN`; 3.14, `_Py_Dealloc`]
//!
//! So before a reference is dropped that an object dies with, what the object owns is *held*: each object that its
//! `tp_traverse` visits gets a reference more, and so outlives it. These references are then dropped in turn, one after the
//! other. Nothing is emptied ahead of its end, whatever its destructors do.
//!
//! Only with a GIL: elsewhere it can't be known that an object dies with a reference, and its `tp_traverse` mustn't be
//! called while other threads run. There the collector holds whatever it has found until that is cleared, so that chains
//! go link by link. [CPython 3.13, `delete_garbage` in `Python/gc_free_threading.c`]

use std::cell::RefCell;
use std::ffi::{c_int, c_void};
use std::mem::{self, MaybeUninit};
use std::ptr::{self, NonNull};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};

use pyo3::PyVisit;
use pyo3::ffi;
use pyo3::prelude::*;

use crate::attached::HAS_GIL;
use crate::objects::Object;
use crate::traversable::{TraverseResult, again};

/// References. The first few need no allocation.
pub(crate) struct Objects {
    /// How many of `first` are there.
    len: usize,
    first: [MaybeUninit<Py<PyAny>>; Self::FIRST],
    more: Option<Box<More>>,
}

/// Kept apart, so that nothing but a null says that there are none.
#[derive(Default)]
struct More(Vec<Py<PyAny>>);

impl Objects {
    const FIRST: usize = 4;

    #[inline]
    pub(crate) fn new() -> Self {
        Self { len: 0, first: [const { MaybeUninit::uninit() }; Self::FIRST], more: None }
    }

    #[allow(clippy::inline_always, reason = "measured: in the clearing of each object")]
    #[inline(always)]
    pub(crate) fn push(&mut self, object: Py<PyAny>) {
        match self.first.get_mut(self.len) {
            Some(slot) => {
                slot.write(object);
                self.len += 1;
            }
            None => self.push_more(object),
        }
    }

    #[cold]
    fn push_more(&mut self, object: Py<PyAny>) {
        self.more.get_or_insert_default().0.push(object);
    }

    #[allow(clippy::inline_always, reason = "measured: in the clearing of each object")]
    #[inline(always)]
    pub(crate) fn pop(&mut self) -> Option<Py<PyAny>> {
        match self.len {
            0 => self.more.as_mut()?.0.pop(),
            len @ 1.. => {
                self.len = len - 1;
                // The remainder is the number itself, as the compiler doesn't know.
                let object = &self.first[self.len % Self::FIRST];
                // SAFETY: the first `len` are there, and this one no longer counts.
                Some(unsafe { object.assume_init_read() })
            }
        }
    }

    /// Whether it is empty, and takes no memory but its own.
    #[inline]
    pub(crate) fn is_unallocated(&self) -> bool {
        self.len == 0 && self.more.is_none()
    }

    /// Drops all references. `hold` is called with each object that dies with one, and holds what it owns.
    #[inline]
    pub(crate) fn release<'py>(&mut self, py: Python<'py>, hold: impl Fn(&Bound<'py, PyAny>, &mut Self)) {
        while let Some(object) = self.pop() {
            let object = object.into_bound(py);
            if is_last(&object) {
                hold(&object, self);
            }
            drop(object);
        }
    }
}

impl Drop for Objects {
    #[inline]
    fn drop(&mut self) {
        while self.len > 0 {
            drop(self.pop());
        }
    }
}

/// Drops a reference. If the object dies with it, what it owns is held.
pub(crate) fn drop_reference(object: Bound<'_, PyAny>, held: &mut Objects) {
    if is_last(&object) {
        hold_contents(&object, held);
    }
    drop(object);
}

/// Drops a reference that its owner doesn't show, so that it can't be held. A drop within that of another one waits until
/// that is over.
pub(crate) fn drop_hidden_reference(object: Bound<'_, PyAny>) {
    let py = object.py();
    let mut next = Some(object.unbind());
    let is_outermost = WAITING.try_with(|waiting| match &mut *waiting.borrow_mut() {
        Some(waiting) => {
            next.take().into_iter().for_each(|object| waiting.push(object));
            false
        }
        none => {
            *none = Some(Objects::new());
            true
        }
    });
    let mut held = Objects::new();
    // Where there is an error, the thread is ending, without its thread-locals.
    while let Some(object) = next {
        drop_reference(object.into_bound(py), &mut held);
        let pop_waiting = || WAITING.with_borrow_mut(|waiting| waiting.as_mut().and_then(Objects::pop));
        next = held.pop().or_else(|| if is_outermost.is_ok() { pop_waiting() } else { None });
    }
    if is_outermost == Ok(true) {
        WAITING.set(None);
    }
}

thread_local! {
    /// The references that wait for the drop of another one; `None` while none is dropped.
    static WAITING: RefCell<Option<Objects>> = const { RefCell::new(None) };
}

/// Whether the object dies with this reference. No object that others refer to is taken for one that does.
#[inline]
pub(crate) fn is_last(reference: &Bound<'_, PyAny>) -> bool {
    HAS_GIL && {
        // SAFETY: the object is alive.
        let count = unsafe { ffi::Py_REFCNT(reference.as_ptr()) };
        count == 1
    }
}

/// Holds what `object` owns, which is about to die.
pub(crate) fn hold_contents(object: &Bound<'_, PyAny>, held: &mut Objects) {
    let py = object.py();
    let object = Object::of(object);
    if let Some(traverse) = object.ty().traverse() {
        traverse.call(object, &mut |visited| hold(py, visited, held));
    }
}

/// Holds what `value` owns, which is about to be dropped, or belongs to an object that is about to die: as
/// [`hold_contents`], but without the way through `tp_traverse`. Needs [`prepare`].
#[inline]
pub(crate) fn hold_value<T: ?Sized>(
    _: Python<'_>,
    value: &T,
    traverse: impl FnOnce(&T, PyVisit<'static>) -> TraverseResult,
    held: &mut Objects,
) {
    if let Some(visit) = VISIT.get() {
        HOLDING.store(held, Ordering::Relaxed);
        // Never an error: `hold_visited` returns none.
        let _ = traverse(value, again(&visit.0));
        HOLDING.store(ptr::null_mut(), Ordering::Relaxed);
    }
}

/// Where [`hold_visited`] puts what it holds, during a call of [`hold_value`]: only then is it not null. Only one thread
/// at a time uses it, since there is a GIL, which nothing lets go of in a traverse.
static HOLDING: AtomicPtr<Objects> = AtomicPtr::new(ptr::null_mut());

/// A visitor that holds what it visits. PyO3 makes a `PyVisit` only for a call of `tp_traverse`; this one comes from such a
/// call.
struct Visit(PyVisit<'static>);

// SAFETY: a `PyVisit` is a function and an argument for it [PyO3 0.28 to 0.30, src/pyclass/gc.rs]. These are
// `hold_visited` and null; any thread may hand the one to the other.
unsafe impl Send for Visit {}
// SAFETY: as above.
unsafe impl Sync for Visit {}

static VISIT: OnceLock<Visit> = OnceLock::new();

/// Whether [`prepare`] has something to do.
#[inline]
pub(crate) fn is_wanted() -> bool {
    HAS_GIL && VISIT.get().is_none()
}

/// Makes sure that [`hold_value`] has a visitor, if it [is wanted](is_wanted). Makes a Python object the first time, so that a collection may start: call
/// it while nothing is locked or borrowed.
#[cold]
pub(crate) fn prepare(py: Python<'_>) {
    // Without memory for it, chains are dropped as Rust and PyO3 drop them.
    let Ok(giver) = Bound::new(py, Giver {}) else { return };
    if let Some(traverse) = Object::of(&giver).ty().traverse() {
        IS_ASKED.store(true, Ordering::Relaxed);
        // SAFETY: `hold_visited` takes a null, and whatever a traverse visits.
        unsafe { traverse.call_by(Object::of(&giver), hold_visited, ptr::null_mut()) };
        IS_ASKED.store(false, Ordering::Relaxed);
    }
}

/// Is asked for the visitor that it is handed.
#[pyclass(frozen)]
struct Giver {}

/// Whether a [`Giver`] is visited by [`hold_visited`], and not by the collector.
static IS_ASKED: AtomicBool = AtomicBool::new(false);

#[pymethods]
impl Giver {
    #[allow(clippy::unnecessary_wraps, clippy::unused_self, reason = "as PyO3 wants it")]
    fn __traverse__(&self, visit: PyVisit<'_>) -> TraverseResult {
        if IS_ASKED.load(Ordering::Relaxed) {
            // SAFETY: the lifetime stands for how long the function and its argument may be used: these forever.
            let visit = unsafe { mem::transmute::<PyVisit<'_>, PyVisit<'static>>(visit) };
            let _ = VISIT.set(Visit(visit));
        }
        Ok(())
    }
}

/// The function of [`Visit`]. Outside of [`hold_value`] it does nothing.
unsafe extern "C" fn hold_visited(visited: *mut ffi::PyObject, _: *mut c_void) -> c_int {
    // SAFETY: null, or the list that `hold_value` borrows.
    let held = unsafe { HOLDING.load(Ordering::Relaxed).as_mut() };
    if let (Some(held), Some(visited)) = (held, NonNull::new(visited)) {
        // SAFETY: `hold_value` is called by a thread that is attached.
        let py = unsafe { Python::assume_attached() };
        // SAFETY: what a value visits is alive, since the value owns it.
        hold(py, unsafe { Object::new(visited) }, held);
    }
    0
}

/// Holds an object. Types have other owners, and lead no chains.
#[inline]
fn hold(py: Python<'_>, object: Object<'_>, held: &mut Objects) {
    if !object.is_type() {
        held.push(object.to_bound(py).unbind());
    }
}
