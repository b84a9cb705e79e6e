use std::any::Any;
use std::marker::PhantomData;
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::thread;

use pyo3::PyVisit;
use pyo3::prelude::*;

use crate::attached::{if_attached, if_taken_for_attached};
use crate::trashcan::{self, Objects};
use crate::traversable::TraverseResult;
use crate::{PyGcTraversable, PyGcTraverseAs, hidden};

/// Where clearing puts what it takes out of a value, to be dropped later.
///
/// Dropping a Python reference can run any code: a `__del__`, a weak-reference callback, a Rust destructor that
/// comes back into the very object that is being cleared. So the values are moved out first and dropped when the
/// graveyard is, which whoever made it does once the class borrow and every lock are released.
///
/// Objects are dropped in turn, and so are those that they own, so that a long chain takes no more stack than a short one.
///
/// # Examples
///
/// ```
/// use pyo3::prelude::*;
/// use pyo3_gc::{Graveyard, PyGcTraversable};
/// use std::sync::Mutex;
///
/// Python::attach(|py| {
///     let field = Mutex::new(Some(py.None()));
///     let mut graveyard = Graveyard::new();
///     field.clear_interior_into(&mut graveyard);
///     assert!(field.lock().unwrap().is_none()); // already empty, and not locked
///     drop(graveyard);                          // destructors run here
/// });
/// ```
pub struct Graveyard<'g> {
    objects: Objects,
    values: Option<Box<Values<'g>>>,
    /// Whether its maker knows the thread to be attached.
    is_attached: bool,
    /// Whether the objects that a buried value owns are held.
    holds: bool,
    /// Not `Send`: the thread stays attached.
    not_send: PhantomData<*mut ()>,
}

/// Kept apart, so that nothing but a null says that there are none.
#[derive(Default)]
struct Values<'g>(Vec<Box<dyn Buried + 'g>>);

/// Anything: a trait object of it is only ever dropped.
trait Buried {}
impl<T> Buried for T {}

/// What a panic leaves behind.
pub(crate) type Payload = Box<dyn Any + Send>;

impl<'g> Graveyard<'g> {
    /// An empty graveyard. Make it before you lock something: the first one of a program makes a Python object, which may
    /// start a collection. The others allocate nothing yet.
    #[must_use]
    pub fn new() -> Self {
        if trashcan::is_wanted() {
            if_attached(trashcan::prepare);
        }
        Self::known_to_be_attached(false)
    }

    /// An empty graveyard of a thread that is attached.
    #[inline]
    pub(crate) fn attached(py: Python<'_>) -> Self {
        if trashcan::is_wanted() {
            trashcan::prepare(py);
        }
        Self::known_to_be_attached(true)
    }

    #[inline]
    fn known_to_be_attached(is_attached: bool) -> Self {
        Self { objects: Objects::new(), values: None, is_attached, holds: true, not_send: PhantomData }
    }

    /// Holds nothing that a value owns: for those that [drop iteratively](crate::drop_iteratively). To visit all of one would
    /// take the stack that this is to save.
    pub(crate) fn without_holding() -> Self {
        let mut graveyard = Self::new();
        graveyard.holds = false;
        graveyard
    }

    /// Takes a value as [its type](PyGcTraversable::bury) has it: boxed, as a rule.
    pub fn bury<T: PyGcTraversable + 'g>(&mut self, value: T) {
        value.bury(self);
    }

    /// Takes a value for which `S` stands in, boxed.
    pub fn bury_as<S: PyGcTraverseAs<T>, T: 'g>(&mut self, value: T) {
        self.bury_held(value, S::traverse);
    }

    /// Takes a value, boxed, and holds nothing that it owns.
    pub(crate) fn bury_unheld<T: 'g>(&mut self, value: T) {
        self.values.get_or_insert_default().0.push(Box::new(value));
    }

    /// Takes a Python reference, unboxed.
    #[inline]
    pub fn bury_object<T>(&mut self, object: Py<T>) {
        self.objects.push(object.into_any());
    }

    /// Takes a value, and holds what it shows by `traverse`, which keeps the contract of [`PyGcTraversable`].
    pub(crate) fn bury_held<T: 'g>(
        &mut self,
        value: T,
        traverse: impl FnOnce(&T, PyVisit<'static>) -> TraverseResult,
    ) {
        if self.holds {
            self.if_attached(|py, held| trashcan::hold_value(py, &value, traverse, held));
        }
        self.bury_unheld(value);
    }

    /// Calls `f` if the thread is known to be attached.
    pub(crate) fn if_attached<R>(&mut self, f: impl FnOnce(Python<'_>, &mut Objects) -> R) -> Option<R> {
        if self.is_attached {
            // SAFETY: it was when this was made, and a closure that runs detached can't get at what isn't `Send`.
            let py = unsafe { Python::assume_attached() };
            return Some(f(py, &mut self.objects));
        }
        if_attached(|py| f(py, &mut self.objects))
    }

    /// Python's `None`, if the thread is attached.
    pub(crate) fn none(&self) -> Option<Py<PyAny>> {
        if self.is_attached {
            // SAFETY: as in `if_attached`.
            return Some(unsafe { Python::assume_attached() }.None());
        }
        #[allow(clippy::redundant_closure_for_method_calls, reason = "the method itself is of one lifetime")]
        if_taken_for_attached(|py| py.None())
    }

    /// Takes over what another one has.
    pub(crate) fn append(&mut self, mut other: Self) {
        if let Some(mut values) = other.values.take() {
            self.values.get_or_insert_default().0.append(&mut values.0);
        }
        while let Some(object) = other.objects.pop() {
            self.objects.push(object);
        }
    }

    /// Gives back one of the values, to be dropped.
    pub(crate) fn pop_value(&mut self) -> Option<impl Sized + use<'g>> {
        self.values.as_mut()?.0.pop()
    }

    /// Gives back one of the objects.
    pub(crate) fn pop_object(&mut self) -> Option<Py<PyAny>> {
        self.objects.pop()
    }

    /// Drops everything. `hold` is called with each object that dies, and holds what it owns.
    #[inline]
    pub(crate) fn release<'py>(&mut self, py: Python<'py>, hold: impl Fn(&Bound<'py, PyAny>, &mut Objects)) {
        match self.values.take() {
            None => self.objects.release(py, hold),
            Some(values) => values.drop_before(|| self.objects.release(py, hold)),
        }
    }

    /// Whether there is nothing to drop.
    #[inline]
    pub(crate) fn is_unallocated(&self) -> bool {
        self.values.is_none() && self.objects.is_unallocated()
    }
}

impl Graveyard<'_> {
    /// Where the thread isn't attached, PyO3 drops the objects when one is.
    fn drop_objects(&mut self) {
        self.if_attached(|py, objects| objects.release(py, trashcan::hold_contents));
    }
}

impl Values<'_> {
    /// Drops all values, whatever their destructors do, and then what comes after them.
    #[cold]
    fn drop_before(self, next: impl FnOnce()) {
        let panic = self.0.into_iter().fold(None, |panic, value| first(panic, caught(|| drop(value))));
        next();
        if let Some(payload) = panic {
            resume(payload);
        }
    }
}

impl Default for Graveyard<'_> {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for Graveyard<'_> {
    #[inline]
    fn drop(&mut self) {
        if !self.is_unallocated() {
            match self.values.take() {
                None => self.drop_objects(),
                Some(values) => values.drop_before(|| self.drop_objects()),
            }
        }
    }
}

/// Calls `f`, and returns its panic, which the panic hook has reported.
pub(crate) fn caught(f: impl FnOnce()) -> Option<Payload> {
    catch_unwind(AssertUnwindSafe(f)).err()
}

/// The first of two panics. The other one has been reported, and is forgotten: its destructor could panic as well.
pub(crate) fn first(panic: Option<Payload>, other: Option<Payload>) -> Option<Payload> {
    if panic.is_some() {
        mem::forget(other);
        return panic;
    }
    other
}

/// Goes on with a panic, unless that would end the process: there is one already, for which this value is dropped.
pub(crate) fn resume(payload: Payload) {
    if thread::panicking() {
        mem::forget(payload);
    } else {
        resume_unwind(payload);
    }
}

/// `clear` in terms of `clear_into`: everything is moved out before the first destructor runs.
#[doc(hidden)]
pub fn clear_now<T: PyGcTraversable + ?Sized>(value: &mut T) {
    hidden::clearing::<T>();
    value.clear_into(&mut Graveyard::new());
}

/// `clear_interior` in terms of `clear_interior_into`: every lock is released before the first destructor runs.
#[doc(hidden)]
pub fn clear_interior_now<T: PyGcTraversable + ?Sized>(value: &T) {
    hidden::clearing::<T>();
    value.clear_interior_into(&mut Graveyard::new());
}

/// Puts a default in the place of a value, for types whose parts must agree with one another.
#[doc(hidden)]
pub fn bury_whole<'g, T: PyGcTraversable + Default + 'g>(value: &mut T, graveyard: &mut Graveyard<'g>) {
    graveyard.bury(mem::take(value));
}

/// The same for a part that owns no Python object.
#[doc(hidden)]
pub fn bury_default<'g, T: Default + 'g>(value: &mut T, graveyard: &mut Graveyard<'g>) {
    graveyard.bury_unheld(mem::take(value));
}
