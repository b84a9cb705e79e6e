use std::fmt;
use std::sync::Arc;

use pyo3::prelude::*;

use crate::__private::{PyVisit, TraverseResult, clear_interior_now, clear_now};
use crate::{Graveyard, PyGcArc, PyGcTraversable, drop_iteratively};
use slots::Slots;

mod let_go;
mod pooled;
mod slots;
mod wakeup;

pub use pooled::PyGcPooled;

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
        PyGcPooled::new(py, &self.owner.0, object)
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
    const NEEDS_NO_BOX: bool = true;

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
