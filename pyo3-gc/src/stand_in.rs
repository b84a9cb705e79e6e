//! Stand-ins: what answers for a foreign type in the fields of a derive.

use pyo3::PyVisit;

use crate::hidden::HiddenFields;
use crate::traversable::TraverseResult;
use crate::{Graveyard, PyGcTraversable};

/// Answers for a type `T` of another crate that owns Python objects, in a field marked `#[pyo3_gc(with = Type)]`.
///
/// The orphan rule forbids to implement [`PyGcTraversable`] for such a type. A type of your own stands in for it; it is never
/// made, only named.
///
/// Stand-ins can be put together as their types are: if `S` stands in for `T`, `Option<S>` stands in for `Option<T>`, and so
/// do `Box`, `Vec`, `VecDeque`, arrays, slices, `Result`, tuples to six, `RefCell`, `OnceCell`, `OnceLock`, `Mutex`, `RwLock`,
/// `Rc` and `Arc`, and `HashMap<K, S>` and `BTreeMap<K, S>` for the values. [`PyGcSame`] stands in for the parts that need
/// no stand-in.
///
/// # Safety
///
/// The implementation keeps the [contract of `PyGcTraversable`](trait@PyGcTraversable#safety), by the same numbers, for the
/// values that it answers for: they visit what they own, once for each reference, and touch nothing.
///
/// Above all, a value must own alone what it visits. A persistent map (`rpds`, `im`) shares its inner nodes with the maps
/// that it was made from: each of them iterates over the same objects, of which the node owns one reference. A stand-in that
/// visits `map.iter()` visits that reference once for each map, and the collector may destroy live objects
/// (crate-py/rpds#264; a debug build of CPython aborts). What is shared inside takes a [`PyGcPool`](crate::PyGcPool).
///
/// # Examples
///
/// ```
/// use pyo3::prelude::*;
/// use pyo3::{PyTraverseError, PyVisit};
/// use pyo3_gc::{Graveyard, PyGcTraverseAs, pyclass, pymethods};
/// # mod foreign {
/// #     pub struct Slot<T>(pub Option<T>);
/// # }
/// use foreign::Slot; // of another crate, and owns what it holds
///
/// struct SlotOf;
///
/// // SAFETY: 1 and 4: the slot owns what is in it, which is visited once. 2: only reads. 3: passed on. 5: it may own one.
/// // 6: an empty slot is a slot.
/// unsafe impl PyGcTraverseAs<Slot<Py<PyAny>>> for SlotOf {
///     const MAY_CONTAIN_CYCLES: bool = true;
///
///     fn traverse(slot: &Slot<Py<PyAny>>, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
///         visit.call(&slot.0)
///     }
///
///     fn clear_into<'g>(slot: &mut Slot<Py<PyAny>>, graveyard: &mut Graveyard<'g>)
///     where
///         Slot<Py<PyAny>>: 'g,
///     {
///         graveyard.bury(slot.0.take()); // moved, and dropped once nothing is borrowed any more
///     }
/// }
///
/// #[pyclass]
/// struct Holder {
///     #[pyo3_gc(with = SlotOf)]
///     slot: Slot<Py<PyAny>>,
///     #[pyo3_gc(with = Vec<SlotOf>)]
///     others: Vec<Slot<Py<PyAny>>>,
/// }
///
/// #[pymethods]
/// impl Holder {}
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not stand in for `{T}`",
    label = "`PyGcTraverseAs<{T}>` is not implemented for `{Self}`",
    note = "write `unsafe impl PyGcTraverseAs<{T}> for {Self}`: see `pyo3_gc::PyGcTraverseAs`",
    note = "where a part implements `PyGcTraversable` itself, `pyo3_gc::PyGcSame` stands in for it"
)]
pub unsafe trait PyGcTraverseAs<T: ?Sized> {
    /// Whether a value can own a Python reference at all.
    const MAY_CONTAIN_CYCLES: bool;

    /// As [`PyGcTraversable`] has it.
    #[doc(hidden)]
    const IS_CONDITIONAL: bool = false;

    /// As [`PyGcTraversable`] has it.
    #[doc(hidden)]
    fn list_hidden(list: &mut HiddenFields) {
        let _ = list;
    }

    /// Visits every Python object that the value owns, each as often as it is owned.
    ///
    /// # Errors
    ///
    /// The visitor's error, unchanged, at once.
    fn traverse(value: &T, visit: PyVisit<'_>) -> TraverseResult;

    /// Moves what the value owns into `graveyard`, so that a cycle through it breaks. Nothing is dropped here: the class is
    /// borrowed, and locks around the field are held. For a value of a foreign type there is [`Graveyard::bury_as`].
    fn clear_into<'g>(value: &mut T, graveyard: &mut Graveyard<'g>)
    where
        T: 'g;

    /// The same for what can be emptied without `&mut`, which is all that a frozen class clears.
    fn clear_interior_into<'g>(value: &T, graveyard: &mut Graveyard<'g>)
    where
        T: 'g,
    {
        let _ = (value, graveyard);
    }

    /// [`clear_into`](Self::clear_into), by hand: drops at once.
    fn clear(value: &mut T) {
        Self::clear_into(value, &mut Graveyard::new());
    }

    /// [`clear_interior_into`](Self::clear_interior_into), by hand: drops at once.
    fn clear_interior(value: &T) {
        Self::clear_interior_into(value, &mut Graveyard::new());
    }
}

/// Stands in for every type that implements [`PyGcTraversable`], as that type itself does: for the parts of a foreign type that
/// need no stand-in, as the `String`s of a `Vec<(String, Foreign)>`, for which `Vec<(PyGcSame, StandIn)>` stands in.
#[derive(Clone, Copy, Debug)]
pub enum PyGcSame {}

// SAFETY: 1 to 6: each item is that of the value's own impl.
unsafe impl<T: PyGcTraversable + ?Sized> PyGcTraverseAs<T> for PyGcSame {
    const MAY_CONTAIN_CYCLES: bool = T::MAY_CONTAIN_CYCLES;
    const IS_CONDITIONAL: bool = T::IS_CONDITIONAL;

    fn list_hidden(list: &mut HiddenFields) {
        T::list_hidden(list);
    }

    fn traverse(value: &T, visit: PyVisit<'_>) -> TraverseResult {
        value.traverse(visit)
    }

    fn clear_into<'g>(value: &mut T, graveyard: &mut Graveyard<'g>)
    where
        T: 'g,
    {
        value.clear_into(graveyard);
    }

    fn clear_interior_into<'g>(value: &T, graveyard: &mut Graveyard<'g>)
    where
        T: 'g,
    {
        value.clear_interior_into(graveyard);
    }
}
