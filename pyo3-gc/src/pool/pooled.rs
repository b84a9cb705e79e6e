use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use pyo3::ffi;
use pyo3::prelude::*;

use super::slots::{Address, Slots};
use crate::leaf;

/// A handle to an object in a [`PyGcPool`](crate::PyGcPool). It may lie anywhere, be shared and sent in any way, and be
/// dropped by any thread.
///
/// It owns no Python object that the collector would have to know of: in a field it is a leaf. The object stays where it is
/// for as long as one of the handles to it is left, and the pool.
///
/// Dropped by a thread that is attached to the interpreter, the last handle drops the object, too. Otherwise the object is
/// dropped by the next thread that attaches, as PyO3 does for [`Py`]. In an abi3 build, which can't tell, it may be the next
/// attachment, too. An object that is dropped may run any code: drop no handle while holding a lock that this code could
/// wait for.
pub struct PyGcPooled<T> {
    place: Arc<Place>,
    object: PhantomData<Py<T>>,
}

/// What handles to the same object share.
struct Place {
    slots: Arc<Slots>,
    object: Object,
}

enum Object {
    InSlot(Address),
    /// Its type takes no part in garbage collection. It is lent until the pool is cleared, as any other is.
    Here {
        object: Py<PyAny>,
        clearings: u32,
    },
}

impl Drop for Place {
    fn drop(&mut self) {
        if let Object::InSlot(address) = self.object {
            self.slots.free(address);
        }
    }
}

impl<T> PyGcPooled<T> {
    /// A handle to an object that stands in a slot from now on, if it needs one.
    pub(super) fn new(py: Python<'_>, slots: &Arc<Slots>, object: Py<T>) -> Self {
        let object = object.into_any();
        let object = if takes_slot(object.bind(py)) {
            Object::InSlot(slots.insert(py, object))
        } else {
            Object::Here { object, clearings: slots.clearings() }
        };
        let place = Place { slots: Arc::clone(slots), object };
        Self { place: Arc::new(place), object: PhantomData }
    }

    /// Lends the object, or nothing once the pool was cleared as garbage or its last holder is gone.
    ///
    /// Runs no Python code and allocates nothing, so that it may be called while a lock is held.
    #[must_use]
    pub fn get<'py>(&self, py: Python<'py>) -> Option<Bound<'py, T>> {
        let Place { slots, object } = &*self.place;
        let object = match object {
            Object::InSlot(address) => slots.get(py, *address),
            Object::Here { object, clearings } => {
                (slots.clearings() == *clearings).then(|| object.bind(py).clone())
            }
        };
        // SAFETY: `new` took it over as a `Py<T>`, and a slot isn't reused while it has a handle.
        object.map(|object| unsafe { object.cast_into_unchecked() })
    }

    /// The object, for this handle, or nothing where [`get`](Self::get) has nothing to lend. Other handles keep theirs.
    #[must_use]
    pub fn take(self, py: Python<'_>) -> Option<Py<T>> {
        self.get(py).map(Bound::unbind)
    }

    /// Another handle to the same object, in the same slot. [`Clone`] does the same without a token.
    #[must_use]
    pub fn clone_ref(&self, _: Python<'_>) -> Self {
        self.clone()
    }
}

/// Another handle to the same object, in the same slot. Any thread may clone, attached or not.
impl<T> Clone for PyGcPooled<T> {
    fn clone(&self) -> Self {
        Self { place: Arc::clone(&self.place), object: PhantomData }
    }
}

leaf!(impl[T] PyGcPooled<T>);

impl<T> fmt::Debug for PyGcPooled<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PyGcPooled").finish_non_exhaustive()
    }
}

/// Whether the object may have to be visited.
fn takes_slot(object: &Bound<'_, PyAny>) -> bool {
    // SAFETY: the type of an object that is alive is a type that is alive.
    unsafe { ffi::PyType_IS_GC(object.get_type_ptr()) != 0 }
}
