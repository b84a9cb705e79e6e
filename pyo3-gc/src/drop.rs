use std::cell::RefCell;

use crate::attached::HAS_GIL;
use crate::graveyard::{Payload, caught, first, resume};
use crate::{Graveyard, PyGcTraversable, trashcan};

/// Empties a value that is being dropped: for the `Drop` of a type of which long chains are made, each value owning the
/// next.
///
/// Garbage needs no such call: it is collected link by link. But a chain that goes because its first link is dropped goes
/// recursively, as Rust drops it, and some thousand links overflow the stack. CPython's containers have the trashcan against
/// that, PyO3's classes don't. [CPython does it for all classes from 3.14 on: `_Py_Dealloc`]
///
/// This drops in a loop what the value [clears](PyGcTraversable::clear_into). In a chain of several types, one of them will
/// do. What can't be cleared, such as a bare `Py<T>`, is dropped where it is.
///
/// # Panics
///
/// A destructor that panics doesn't keep the others from running. PyO3 reports the panics of objects to
/// `sys.unraisablehook`; of those of Rust values the first goes on when everything is dropped.
///
/// # What waits
///
/// Where one Rust value drops another, what the inner one clears is dropped after the outer one: the destructors of its
/// parts run a little later than they would. Objects wait for nothing: what is dropped by the `__del__` of a link is gone when
/// that returns. Where it can't be known that an object dies with a reference, it does wait: in free-threaded builds, and in
/// abi3 builds.
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
    let mut graveyard = Graveyard::without_holding();
    value.clear_into(&mut graveyard);
    let mut own = Some(graveyard);
    // An error where the thread is ending, without its thread-locals: then it is dropped recursively.
    let is_outermost = OUTERMOST.try_with(|outermost| match &mut *outermost.borrow_mut() {
        Some(outermost) => own.take().is_some_and(|own| {
            outermost.append(own);
            false
        }),
        None => true,
    });
    if let (Ok(true), Some(own)) = (is_outermost, own) {
        drop_in_turn(own);
    }
}

thread_local! {
    /// Where the drops within that of a value leave what they clear; `None` while no value is being dropped.
    static OUTERMOST: RefCell<Option<Graveyard<'static>>> = const { RefCell::new(None) };
}

/// Drops a graveyard, and what the drops within leave.
fn drop_in_turn(mut graveyard: Graveyard<'static>) {
    let mut panic = None;
    loop {
        while let Some(value) = graveyard.pop_value() {
            panic = first(panic, drop_as_outermost(&mut graveyard, || drop(value)));
        }
        let Some(object) = graveyard.pop_object() else { break };
        let mut object = Some(object);
        if HAS_GIL {
            // What it owns is held, so that the drops within have nothing to leave. They may be those of any code.
            graveyard.if_attached(|py, held| {
                if let Some(object) = object.take() {
                    trashcan::drop_reference(object.into_bound(py), held);
                }
            });
        }
        if object.is_some() {
            panic = first(panic, drop_as_outermost(&mut graveyard, || drop(object)));
        }
    }
    if let Some(payload) = panic {
        resume(payload);
    }
}

/// Calls `drop`, whose panic is returned. What the drops within leave is put into `graveyard`.
fn drop_as_outermost(graveyard: &mut Graveyard<'static>, drop: impl FnOnce()) -> Option<Payload> {
    OUTERMOST.set(Some(Graveyard::without_holding()));
    let panic = caught(drop);
    if let Some(left) = OUTERMOST.take() {
        graveyard.append(left);
    }
    panic
}
