use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use pyo3::ffi;
use pyo3::prelude::*;

use crate::__private::{PyVisit, TraverseResult, clear_interior_now, clear_now};
use crate::{Graveyard, PyGcArc, PyGcTraversable, drop_iteratively, leaf};
use slots::{Address, Slots};

mod let_go;
mod slots;

/// Owns Python objects on behalf of a structure that the collector can't look into: a closure, a channel, a `DashMap`, an
/// `ArcSwap`, a persistent map, the user data of a C library.
///
/// The structure holds handles, [`PyGcPooled`], which own no Python object. The objects stand in slots of the pool, and
/// the class that holds the structure holds the pool beside it. So the collector sees what the class owns, whatever the
/// structure does with the handles:
///
/// ```text
///            ┌──▶ pool ──▶ object ──▶ …          seen by the collector
///   class ───┤      ┊
///            └──▶ structure ──▶ handle           hidden, and owns nothing
/// ```
///
/// An object is kept for as long as both its handles and the pool are. When the last handle is dropped, wherever that is, the
/// slot is free. When the last holder of the pool is dropped, or the collector clears the pool as garbage, the objects go,
/// and [`get`](PyGcPooled::get) has nothing more to lend. **So hold the pool wherever the structure is held**, or a part of
/// it: [`clone_ref`](Self::clone_ref) gives a holder to an iterator, to a map that shares its inner nodes with another one,
/// or to a thread. What a thread holds outside of any Python object keeps the pool and all of its objects alive.
///
/// A pool costs a Python object, a slot 8 bytes, and a handle a small allocation. Objects whose type takes no part in
/// garbage collection, such as `int` and `str`, take no slot.
///
/// # Which pool
///
/// All objects of one pool live as long as its last holder is reachable and they have handles: the collector sees that
/// the *pool* owns them, not which of its holders needs which. Classes that share a pool therefore share this fate. Where
/// they share no structure, give each a pool of its own.
///
/// # Examples
///
/// A class whose jobs are closures in a foreign queue:
///
/// ```
/// use std::sync::Mutex;
/// use std::sync::mpsc::{Receiver, Sender, channel};
///
/// use pyo3::prelude::*;
/// use pyo3_gc::{PyGcPool, pyclass, pymethods};
///
/// type Job = Box<dyn FnOnce(Python<'_>) -> PyResult<()> + Send>;
///
/// #[pyclass(frozen)]
/// struct Worker {
///     pool: PyGcPool,
///     #[pyo3(gc = false)] // owns handles, and no Python object
///     sender: Sender<Job>,
///     #[pyo3(gc = false)]
///     receiver: Mutex<Receiver<Job>>,
/// }
///
/// #[pymethods]
/// impl Worker {
///     #[new]
///     fn new(py: Python<'_>) -> PyResult<Self> {
///         let (sender, receiver) = channel();
///         Ok(Self { pool: PyGcPool::new(py)?, sender, receiver: Mutex::new(receiver) })
///     }
///
///     fn submit(&self, py: Python<'_>, callable: Py<PyAny>) {
///         let callable = self.pool.put(py, callable);
///         let job = move |py: Python<'_>| match callable.get(py) {
///             Some(callable) => callable.call0().map(drop),
///             None => Ok(()), // nobody has this worker any more
///         };
///         self.sender.send(Box::new(job)).expect("the receiver is in the same object");
///     }
///
///     fn run(&self, py: Python<'_>) -> PyResult<()> {
///         loop {
///             let job = self.receiver.lock().unwrap().try_recv(); // the lock is released at the end of this line
///             let Ok(job) = job else { return Ok(()) };
///             job(py)?;
///         }
///     }
/// }
///
/// impl Drop for Worker {
///     fn drop(&mut self) {
///         println!("collected");
///     }
/// }
///
/// # fn main() -> PyResult<()> {
/// Python::attach(|py| {
///     let worker = Bound::new(py, Worker::new(py)?)?;
///     worker.call_method1("submit", (worker.getattr("run")?,))?; // worker → pool → bound method → worker
///     drop(worker);
///     py.import("gc")?.call_method0("collect")?; // prints "collected"
///     Ok(())
/// })
/// # }
/// ```
pub struct PyGcPool {
    owner: PyGcArc<Owner>,
}

/// A handle to an object in a [`PyGcPool`]. It may lie anywhere, be shared and sent in any way, and be dropped by any thread.
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

impl PyGcPool {
    /// An empty pool.
    ///
    /// # Errors
    ///
    /// `MemoryError` if Python can't allocate it.
    pub fn new(py: Python<'_>) -> PyResult<Self> {
        Ok(Self { owner: PyGcArc::new(py, Owner(Slots::new(py)?))? })
    }

    /// Another holder of the same pool.
    #[must_use]
    pub fn clone_ref(&self, py: Python<'_>) -> Self {
        Self { owner: self.owner.clone_ref(py) }
    }

    /// Takes an object over, and gives a handle to it.
    ///
    /// Runs no Python code and allocates nothing of Python's, so that it may be called while a lock is held.
    #[must_use = "the pool keeps the object for as long as there is a handle to it"]
    pub fn put<T>(&self, py: Python<'_>, object: Py<T>) -> PyGcPooled<T> {
        let slots = Arc::clone(&self.owner.0);
        let object = object.into_any();
        let object = if takes_slot(object.bind(py)) {
            Object::InSlot(slots.insert(py, object))
        } else {
            Object::Here { object, clearings: slots.clearings() }
        };
        PyGcPooled { place: Arc::new(Place { slots, object }), object: PhantomData }
    }

    /// Takes objects over, as [`put`](Self::put) does for one, and gives handles to them in their order.
    #[must_use = "the pool keeps an object for as long as there is a handle to it"]
    pub fn put_many<T>(
        &self,
        py: Python<'_>,
        objects: impl IntoIterator<Item = Py<T>>,
    ) -> Vec<PyGcPooled<T>> {
        objects.into_iter().map(|object| self.put(py, object)).collect()
    }

    /// How many objects stand in slots.
    #[must_use]
    pub fn len(&self, py: Python<'_>) -> usize {
        self.owner.0.len(py)
    }

    /// Whether no object stands in a slot.
    #[must_use]
    pub fn is_empty(&self, py: Python<'_>) -> bool {
        self.len(py) == 0
    }
}

/// Whether the object may have to be visited.
fn takes_slot(object: &Bound<'_, PyAny>) -> bool {
    // SAFETY: the type of an object that is alive is a type that is alive.
    unsafe { ffi::PyType_IS_GC(object.get_type_ptr()) != 0 }
}

/// Another holder of the same pool, as [`clone_ref`](PyGcPool::clone_ref) gives it.
///
/// # Panics
///
/// While the thread isn't attached to the interpreter, as the clone of a [`Py`] does.
#[cfg(feature = "py-clone")]
#[cfg_attr(docsrs, doc(cfg(feature = "py-clone")))]
impl Clone for PyGcPool {
    fn clone(&self) -> Self {
        Self { owner: self.owner.clone() }
    }
}

// SAFETY: 1 to 6: it does what its only field does.
unsafe impl PyGcTraversable for PyGcPool {
    const MAY_CONTAIN_CYCLES: bool = true;

    #[inline]
    fn traverse(&self, visit: PyVisit<'_>) -> TraverseResult {
        self.owner.traverse(visit)
    }

    fn clear(&mut self) {
        self.owner.clear();
    }

    fn bury<'g>(self, graveyard: &mut Graveyard<'g>)
    where
        Self: Sized + 'g,
    {
        self.owner.bury(graveyard);
    }
}

impl fmt::Debug for PyGcPool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PyGcPool").finish_non_exhaustive()
    }
}

impl<T> PyGcPooled<T> {
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
        // SAFETY: `put` took it over as a `Py<T>`, and a slot isn't reused while it has a handle.
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

/// What the node of a pool owns: all of its objects. Handles only refer to them.
struct Owner(Arc<Slots>);

// SAFETY: 1: a slot owns one reference and is visited once, by the only owner that visits. 2: no lock is waited for.
// 3: passed on. 4: a slot is visited until an attached thread empties it. 5: true. 6: an empty slot is one.
unsafe impl PyGcTraversable for Owner {
    const MAY_CONTAIN_CYCLES: bool = true;

    fn traverse(&self, visit: PyVisit<'_>) -> TraverseResult {
        self.0.traverse(visit)
    }

    fn clear(&mut self) {
        clear_now(self);
    }

    fn clear_interior(&self) {
        clear_interior_now(self);
    }

    fn clear_into<'g>(&mut self, graveyard: &mut Graveyard<'g>)
    where
        Self: 'g,
    {
        self.clear_interior_into(graveyard);
    }

    fn clear_interior_into<'g>(&self, graveyard: &mut Graveyard<'g>)
    where
        Self: 'g,
    {
        // Only a node calls this, when it is cleared or deallocated: then the thread is attached.
        Python::try_attach(|py| self.0.clear(py, graveyard));
    }
}

/// The last holder of the pool is gone.
impl Drop for Owner {
    fn drop(&mut self) {
        drop_iteratively(self);
    }
}
