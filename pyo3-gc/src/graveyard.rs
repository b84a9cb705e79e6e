use std::cell::RefCell;
use std::mem;

use pyo3::prelude::*;

use crate::{PyGcTraversable, hidden};

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
pub fn bury_default<'g, T: Default + 'g>(value: &mut T, graveyard: &mut Graveyard<'g>) {
    graveyard.bury(mem::take(value));
}

/// Empties a value that is being dropped: for the `Drop` of a type of which long chains are made, each value owning the
/// next.
///
/// Rust drops such a chain recursively, and PyO3's classes have no trashcan, with which Python's own prevent that: some
/// thousand links overflow the stack. With this call in it, a drop within another one leaves what the value
/// [clears](PyGcTraversable::clear_into) to the outermost, which drops it in a loop. In a chain of several types, one of
/// them will do. What can't be cleared, such as a bare `Py<T>`, is dropped where it is.
///
/// # Examples
///
/// ```
/// use pyo3::prelude::*;
/// use pyo3_gc::{drop_iteratively, pyclass, pymethods};
///
/// #[pyclass]
/// struct Node {
///     next: Vec<Py<Node>>,
/// }
///
/// #[pymethods]
/// impl Node {}
///
/// impl Drop for Node {
///     fn drop(&mut self) {
///         drop_iteratively(self);
///     }
/// }
///
/// # fn main() -> PyResult<()> {
/// Python::attach(|py| {
///     let mut first = Py::new(py, Node { next: Vec::new() })?;
///     for _ in 0..100_000 {
///         first = Py::new(py, Node { next: vec![first] })?;
///     }
///     drop(first); // no stack overflow
///     Ok(())
/// })
/// # }
/// ```
pub fn drop_iteratively<T: PyGcTraversable + 'static>(value: &mut T) {
    let mut graveyard = Graveyard::new();
    value.clear_into(&mut graveyard);
    let mut own = Some(graveyard);
    let is_outermost = WAITING.try_with(|waiting| match &mut *waiting.borrow_mut() {
        Some(waiting) => {
            waiting.extend(own.take());
            false
        }
        nothing => {
            *nothing = Some(Vec::new());
            true
        }
    });
    // Where there is an error, the thread is ending, without its thread-locals: then it is dropped here, recursively.
    if is_outermost == Ok(true) {
        let _end = EndOfTurn;
        drop(own);
        while let Some(graveyard) = WAITING.with_borrow_mut(|waiting| waiting.as_mut().and_then(Vec::pop)) {
            drop(graveyard);
        }
    }
}

thread_local! {
    /// What drops within another one have left to the outermost; `None` while nothing is being dropped.
    static WAITING: RefCell<Option<Vec<Graveyard<'static>>>> = const { RefCell::new(None) };
}

/// The outermost drop is over, be it by a destructor's panic.
struct EndOfTurn;

impl Drop for EndOfTurn {
    fn drop(&mut self) {
        let left = WAITING.take();
        drop(left);
    }
}
