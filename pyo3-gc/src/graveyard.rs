use pyo3::prelude::*;

use crate::PyGcTraversable;

/// Where clearing puts what it takes out of a value, to be dropped later.
///
/// Dropping a Python reference can run any code: a `__del__`, a weak-reference callback, a Rust destructor that
/// comes back into the very object that is being cleared. So the values are moved out first and dropped when the
/// graveyard is, which whoever made it does once the class borrow and every lock are released.
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
#[derive(Default)]
pub struct Graveyard<'g> {
    /// The first few references, for which most classes then need no allocation.
    first: [Option<Py<PyAny>>; 4],
    objects: Vec<Py<PyAny>>,
    values: Vec<Box<dyn Buried + 'g>>,
}

/// Anything: a trait object of it is only ever dropped.
trait Buried {}
impl<T> Buried for T {}

impl<'g> Graveyard<'g> {
    /// An empty graveyard. Allocates nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes a value of any type, boxed.
    pub fn bury<T: 'g>(&mut self, value: T) {
        self.values.push(Box::new(value));
    }

    /// Takes a Python reference, unboxed.
    pub fn bury_object<T>(&mut self, object: Py<T>) {
        let object = object.into_any();
        match self.first.iter_mut().find(|slot| slot.is_none()) {
            Some(slot) => *slot = Some(object),
            None => self.objects.push(object),
        }
    }

    /// Drops all values, and gives back one of the references, for the caller to drop.
    pub(crate) fn next_object<'py>(&mut self, py: Python<'py>) -> Option<Bound<'py, PyAny>> {
        self.values.clear();
        let object = self.first.iter_mut().find_map(Option::take).or_else(|| self.objects.pop());
        object.map(|object| object.into_bound(py))
    }
}

/// `clear` in terms of `clear_into`: everything is moved out before the first destructor runs.
#[doc(hidden)]
pub fn clear_now<T: PyGcTraversable + ?Sized>(value: &mut T) {
    value.clear_into(&mut Graveyard::new());
}

/// `clear_interior` in terms of `clear_interior_into`: every lock is released before the first destructor runs.
#[doc(hidden)]
pub fn clear_interior_now<T: PyGcTraversable + ?Sized>(value: &T) {
    value.clear_interior_into(&mut Graveyard::new());
}
