use std::mem::needs_drop;

use pyo3::{PyTraverseError, PyVisit};

use crate::Graveyard;
use crate::hidden::HiddenFields;

/// What every `traverse` returns.
pub type TraverseResult = Result<(), PyTraverseError>;

/// The visitor once more: `PyVisit` is `Copy` only from PyO3 0.30 on.
#[inline]
#[must_use]
#[allow(clippy::clone_on_copy)]
pub fn again<'v>(visit: &PyVisit<'v>) -> PyVisit<'v> {
    visit.clone()
}

/// What a value tells CPython's cyclic garbage collector: which Python objects it owns, and how to let go of
/// them.
///
/// Derive it: [`#[derive(PyGcTraversable)]`](derive@crate::PyGcTraversable) gets the contract below right for
/// every struct and enum whose fields implement the trait. Write it by hand for a container of your own.
///
/// Derive it by path, as here, and don't import the trait where you call methods of values. Once it is in scope, `.clear()` on a
/// `Box<Vec<u8>>`, a `PyGcOpaque<Vec<_>>` or an `AHashMap` is the trait's, silently, and keeps what is in there: Rust takes a
/// method of the outer type before one behind its `Deref`
/// ([reference](https://doc.rust-lang.org/reference/expressions/method-call-expr.html)). Call the trait's own methods by
/// path, too: `PyGcTraversable::clear(&mut value)`.
///
/// `MAY_CONTAIN_CYCLES`, `traverse` and `clear` have the names and signatures of the trait proposed for PyO3
/// itself (PyO3/pyo3#6330), so that code written against this crate can move there by changing a path.
///
/// # Safety
///
/// An implementation must keep this contract. `SAFETY:` comments in this crate answer to it by number.
///
/// 1. **Own before you visit.** `traverse` visits a Python object at most as many times as the value owns
///    strong references to it. One visit too many, and CPython may destroy a live object; one too few only
///    leaks.
/// 2. **Touch nothing.** `traverse` changes no reference count and nothing that can be reached through a shared
///    reference; it creates, drops, tracks and untracks no Python object, calls no Python code, does not
///    attach to the interpreter, blocks on no lock, and does not panic. In a free-threaded build even a
///    balanced pair of INCREF and DECREF makes a garbage object look immortal (python/cpython#123241), and a panic
///    ends every collection of everything, as a lack of memory would.
/// 3. **Pass errors on.** A visitor's error is returned at once, unchanged.
/// 4. **Steady.** Unless Rust code changes the value, two traversals in a row visit the same objects: the
///    collector subtracts in one pass and marks in another.
/// 5. **`MAY_CONTAIN_CYCLES == false`** promises that no value of the type ever owns a Python reference that it
///    shows to the collector. Callers then skip `traverse` and the clearing methods.
/// 6. After `clear` and `clear_interior` the value is still valid, safe Rust: usable, droppable, traversable
///    again. They may run arbitrary Python code (dropping a reference can), so no lock and no class borrow is
///    held while that happens; the `_into` forms exist so that a caller can let go of both first.
///
/// The rules restate what CPython asks of [`tp_traverse`] and [`tp_clear`].
///
/// [`tp_traverse`]: https://docs.python.org/3/c-api/gcsupport.html
/// [`tp_clear`]: https://docs.python.org/3/c-api/typeobj.html#c.PyTypeObject.tp_clear
///
/// # Examples
///
/// A container of one's own, by hand:
///
/// ```
/// use pyo3::{PyTraverseError, PyVisit};
/// use pyo3_gc::{Graveyard, PyGcTraversable};
///
/// /// At most two values, in the order of arrival.
/// struct Pair<T>(Option<T>, Option<T>);
///
/// // SAFETY:
/// // 1: each slot is visited once, by an impl that keeps the contract. 2: only reads. 3: `?`.
/// // 4: both slots, always. 5: the slots' own answer. 6: an empty pair is a pair.
/// unsafe impl<T: PyGcTraversable> PyGcTraversable for Pair<T> {
///     const MAY_CONTAIN_CYCLES: bool = T::MAY_CONTAIN_CYCLES;
///
///     fn traverse(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
///         self.0.traverse(visit.clone())?;
///         self.1.traverse(visit)
///     }
///
///     fn clear(&mut self) {
///         self.0.clear();
///         self.1.clear();
///     }
///
///     fn clear_into<'g>(&mut self, graveyard: &mut Graveyard<'g>)
///     where
///         Self: 'g,
///     {
///         self.0.clear_into(graveyard);
///         self.1.clear_into(graveyard);
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not tell the garbage collector what it owns",
    label = "`PyGcTraversable` is not implemented for `{Self}`",
    note = "yours: `#[derive(pyo3_gc::PyGcTraversable)]` on it, or `pyo3_gc::leaf!` if it never owns a Python object",
    note = "another crate's, and owns no Python object: `#[pyo3(gc = false)]` on the field (a feature of `pyo3-gc` may cover the type)",
    note = "another crate's, and owns some: a stand-in, `#[pyo3_gc(with = Type)]`, if nothing inside is shared, else a `pyo3_gc::PyGcPool`",
    note = "`PyErr` becomes `pyo3_gc::PyGcErr`, `Bound` becomes `Py`, a trait object takes `pyo3_gc::dyn_traversable!`"
)]
pub unsafe trait PyGcTraversable {
    /// Whether a value of the type can own a Python reference at all.
    ///
    /// A type for which this is `false` is called a leaf; its hooks cost nothing.
    const MAY_CONTAIN_CYCLES: bool;

    /// `MAY_CONTAIN_CYCLES`, as the impls of this crate and of the derive ask each other for it. Where types name each other,
    /// that is a cycle of constants (E0391), of which rustc says the names: this one is the remedy.
    #[doc(hidden)]
    #[allow(non_upper_case_globals, reason = "said by rustc where it is wanted")]
    const put__pyo3_gc_recursive__on_one_of_these_types: bool = Self::MAY_CONTAIN_CYCLES;

    /// Whether the impl is there only in some builds: where a feature of this crate brings it, or a newer compiler. Then a
    /// field of the type may be excluded all the same.
    #[doc(hidden)]
    const IS_CONDITIONAL: bool = false;

    /// Whether a value may hold Python objects where nobody can look: the end of a channel through which some are sent. The
    /// derive then says so at the field.
    #[doc(hidden)]
    const HIDES_OBJECTS: bool = false;

    /// Lists the fields that are marked `#[pyo3_gc(hidden = "…")]`, in this type and in what it is made of.
    #[doc(hidden)]
    fn list_hidden(list: &mut HiddenFields) {
        let _ = list;
    }

    /// Whether [`bury`](Self::bury) takes no memory for each value.
    #[doc(hidden)]
    const NEEDS_NO_BOX: bool = !Self::MAY_CONTAIN_CYCLES && !needs_drop::<Self>();

    /// Visits every Python object that the value owns, each as often as it is owned.
    ///
    /// # Errors
    ///
    /// The visitor's error, unchanged, at once.
    fn traverse(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError>;

    /// Lets go of what the value owns, so that a cycle through it breaks. Leaf contents are kept.
    ///
    /// Called by hand, it drops at once.
    fn clear(&mut self);

    /// Lets go of what can be emptied without `&mut`: what is behind a `Mutex`, an `RwLock` or a `RefCell`. What a frozen
    /// class clears. Cells that are written once, and `Cell`, can't be emptied so.
    fn clear_interior(&self) {}

    /// Like [`clear`](Self::clear), but moves what it clears into `graveyard` instead of dropping it, so that
    /// the caller chooses the moment at which destructors run.
    ///
    /// The default calls `clear`, which drops at once. Override it wherever a value can be moved out.
    fn clear_into<'g>(&mut self, graveyard: &mut Graveyard<'g>)
    where
        Self: 'g,
    {
        let _ = graveyard;
        self.clear();
    }

    /// Like [`clear_interior`](Self::clear_interior), but moves into `graveyard`.
    ///
    /// The default calls `clear_interior`. Where that is written in terms of this method, override both.
    fn clear_interior_into<'g>(&self, graveyard: &mut Graveyard<'g>)
    where
        Self: 'g,
    {
        let _ = graveyard;
        self.clear_interior();
    }

    /// Moves the whole value into `graveyard`. The default boxes it; what it owns then doesn't go recursively with it.
    fn bury<'g>(self, graveyard: &mut Graveyard<'g>)
    where
        Self: Sized + 'g,
    {
        if Self::MAY_CONTAIN_CYCLES {
            graveyard.bury_held(self, Self::traverse);
        } else if needs_drop::<Self>() {
            graveyard.bury_unheld(self);
        }
    }
}
