mod weak;

use std::borrow::Borrow;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::mem;
use std::ops::Deref;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::NonNull;

use pyo3::prelude::*;
use pyo3::{PyTraverseError, PyVisit};

use crate::graveyard::clear_interior_now;
use crate::traversable::TraverseResult;
use crate::{DynPyGcTraversable, Graveyard, PyGcTraversable};

pub use weak::PyGcWeak;

/// A shared pointer that the collector sees through: an `Arc` whose contents take part in garbage collection however
/// many holders it has.
///
/// The contents live in a node that is itself a (hidden, frozen) Python object. Each holder owns a reference to the
/// node and visits it; the node owns the contents and visits them once. So the collector sees the true graph: a cycle
/// through shared contents is collected, and contents that a live holder reaches are safe.
///
/// ```text
/// Arc:      holder ──┐                       holder ──┐
///                    ├──▶ contents ──▶ object         ├──▶ node ──▶ contents ──▶ object   :PyGcArc
///           holder ──┘    (hidden)           holder ──┘   (seen)     (seen)
/// ```
///
/// The contents are never handed out mutably, since a collection may visit them at any time: put what changes behind a
/// `Mutex` or an `RwLock`. Only what is behind those is cleared, so that a `&T` is never invalidated. The pointer itself
/// can't be cleared either: where a cycle may run through nothing but such pointers and contents without locks, hold an
/// `Option<PyGcArc<T>>`. The contents are `Send` and `Sync`, since the last holder may drop them on any thread.
///
/// [`downgrade`](Self::downgrade) gives a pointer that doesn't keep the contents alive.
///
/// Reading needs no token, cloning does. Dropping it while detached defers the drop to the next time that a thread
/// attaches, as PyO3 does for [`Py`].
///
/// # Examples
///
/// ```
/// use std::sync::Mutex;
///
/// use pyo3::prelude::*;
/// use pyo3_gc::{PyGcArc, PyGcTraversable, pyclass, pymethods};
///
/// #[derive(PyGcTraversable, Default)]
/// struct Tree {
///     root: Mutex<Option<Py<PyAny>>>,
/// }
///
/// #[pyclass]
/// struct Handle {
///     tree: PyGcArc<Tree>,
/// }
///
/// #[pymethods]
/// impl Handle {
///     fn set_root(&self, root: Py<PyAny>) {
///         let previous = self.tree.root.lock().unwrap().replace(root);
///         drop(previous);
///     }
/// }
///
/// # fn main() -> PyResult<()> {
/// Python::attach(|py| {
///     let tree = PyGcArc::new(py, Tree::default())?;
///     let handle = Bound::new(py, Handle { tree: tree.clone_ref(py) })?;
///     handle.call_method1("set_root", (&handle,))?; // handle → node → tree → handle
///     assert!(tree.root.lock().unwrap().is_some());
///     Ok(())
/// })
/// # }
/// ```
pub struct PyGcArc<T: ?Sized> {
    node: Py<Node>,
    /// Into the node's contents, which live as long as the node, at the same place.
    contents: NonNull<T>,
}

// SAFETY: a holder gives out `&T` on any thread, which asks for `T: Sync`; the last one drops the `T` on any thread,
// which asks for `T: Send`. `Py` is both. Nothing else is done with what it points to, so that these bounds suffice.
unsafe impl<T: Send + Sync + ?Sized> Send for PyGcArc<T> {}
// SAFETY: as above.
unsafe impl<T: Send + Sync + ?Sized> Sync for PyGcArc<T> {}

/// The Python object between the holders and the contents.
#[pyclass(frozen, weakref, name = "PyGcArc", module = "pyo3_gc")]
struct Node {
    contents: Owned<dyn Contents>,
}

/// What a node can own.
trait Contents: DynPyGcTraversable + Send + Sync {}
impl<T: DynPyGcTraversable + Send + Sync> Contents for T {}

/// A `Box` that tolerates pointers to its contents beside it, wherever it is moved.
struct Owned<T: ?Sized>(NonNull<T>);

impl<T: ?Sized> Owned<T> {
    fn new(contents: Box<T>) -> Self {
        Self(NonNull::from(Box::leak(contents)))
    }
}

impl<T: ?Sized> Deref for Owned<T> {
    type Target = T;

    fn deref(&self) -> &T {
        // SAFETY: the pointer comes from a `Box` and is valid until `drop`; nobody ever makes a `&mut` from it.
        unsafe { self.0.as_ref() }
    }
}

/// A panic of the contents stops here, once the panic hook has reported it: it would leave the node behind, half
/// deallocated and still known to the collector.
impl<T: ?Sized> Drop for Owned<T> {
    fn drop(&mut self) {
        // SAFETY: the pointer comes from a `Box`, and this is the only place that makes it one again.
        let contents = unsafe { Box::from_raw(self.0.as_ptr()) };
        if let Err(payload) = catch_unwind(AssertUnwindSafe(|| drop(contents))) {
            mem::forget(payload); // whose destructor could panic as well
        }
    }
}

// SAFETY: an `Owned` is a `Box` that is never borrowed mutably, and a `Box` is `Send` if its contents are.
unsafe impl<T: Send + ?Sized> Send for Owned<T> {}
// SAFETY: as above, for `Sync`.
unsafe impl<T: Sync + ?Sized> Sync for Owned<T> {}

// SAFETY: 1 to 5: it does what its contents do. 6: they are never borrowed mutably, and cleared through locks and cells
// alone.
unsafe impl<T: PyGcTraversable + ?Sized> PyGcTraversable for Owned<T> {
    const MAY_CONTAIN_CYCLES: bool = T::MAY_CONTAIN_CYCLES;

    fn traverse(&self, visit: PyVisit<'_>) -> TraverseResult {
        (**self).traverse(visit)
    }

    fn clear(&mut self) {
        clear_interior_now(&**self);
    }

    fn clear_interior_into<'g>(&self, graveyard: &mut Graveyard<'g>)
    where
        Self: 'g,
    {
        (**self).clear_interior_into(graveyard);
    }
}

#[pymethods]
impl Node {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.contents.dyn_traverse(visit)
    }

    fn __clear__(&self, py: Python<'_>) {
        let mut graveyard = Graveyard::attached(py);
        self.contents.dyn_clear_interior_into(&mut graveyard);
    }
}

impl<T: PyGcTraversable + Send + Sync + 'static> PyGcArc<T> {
    /// Moves `contents` into a node of their own.
    ///
    /// # Errors
    ///
    /// `MemoryError` if Python can't allocate the node; `contents` are dropped then.
    pub fn new(py: Python<'_>, contents: T) -> PyResult<Self> {
        let owned = Owned::<dyn Contents>::new(Box::new(contents));
        let contents = owned.0.cast();
        let node = Py::new(py, Node { contents: owned })?;
        Ok(Self { node, contents })
    }
}

impl<T: PyGcTraversable + Send + Sync + ?Sized + 'static> PyGcArc<T> {
    /// Moves the contents of a box, such as a `Box<dyn Trait>`, into a node.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new).
    pub fn from_box(py: Python<'_>, contents: Box<T>) -> PyResult<Self> {
        let owned = Owned::new(contents);
        let contents = owned.0;
        let node = Py::new(py, Node { contents: Owned::new(Box::new(owned)) })?;
        Ok(Self { node, contents })
    }
}

impl<T: ?Sized> PyGcArc<T> {
    /// Another holder of the same contents.
    #[must_use]
    pub fn clone_ref(&self, py: Python<'_>) -> Self {
        Self { node: self.node.clone_ref(py), contents: self.contents }
    }

    /// Whether both hold the same contents.
    #[must_use]
    pub fn ptr_eq(this: &Self, other: &Self) -> bool {
        this.node.as_ptr() == other.node.as_ptr()
    }
}

/// Another holder of the same contents, as [`clone_ref`](PyGcArc::clone_ref) gives it.
///
/// # Panics
///
/// While the thread isn't attached to the interpreter, as the clone of a [`Py`] does.
#[cfg(feature = "py-clone")]
#[cfg_attr(docsrs, doc(cfg(feature = "py-clone")))]
impl<T: ?Sized> Clone for PyGcArc<T> {
    fn clone(&self) -> Self {
        Self { node: self.node.clone(), contents: self.contents }
    }
}

impl<T: ?Sized> Deref for PyGcArc<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        // SAFETY: the node owns the contents, which it never moves nor borrows mutably, also when it is cleared, and `self` owns
        // a reference to the node. So they are alive, at that place and shared, for as long as `self` is borrowed.
        unsafe { self.contents.as_ref() }
    }
}

// SAFETY: 1 and 4: one reference to the node, visited once. 2: `PyVisit::call` only passes the pointer on. 3: passed on.
// 5: true. 6: nothing is cleared: a holder always has contents.
unsafe impl<T: ?Sized> PyGcTraversable for PyGcArc<T> {
    const MAY_CONTAIN_CYCLES: bool = true;
    const NEEDS_NO_BOX: bool = true;

    #[inline]
    fn traverse(&self, visit: PyVisit<'_>) -> TraverseResult {
        visit.call(&self.node)
    }

    fn clear(&mut self) {}

    fn bury<'g>(self, graveyard: &mut Graveyard<'g>)
    where
        Self: Sized + 'g,
    {
        graveyard.bury_object(self.node);
    }
}

impl<T: ?Sized> AsRef<T> for PyGcArc<T> {
    fn as_ref(&self) -> &T {
        self
    }
}

impl<T: ?Sized> Borrow<T> for PyGcArc<T> {
    fn borrow(&self) -> &T {
        self
    }
}

impl<T: fmt::Debug + ?Sized> fmt::Debug for PyGcArc<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: fmt::Display + ?Sized> fmt::Display for PyGcArc<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: PartialEq + ?Sized> PartialEq for PyGcArc<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Eq + ?Sized> Eq for PyGcArc<T> {}

impl<T: PartialOrd + ?Sized> PartialOrd for PyGcArc<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        (**self).partial_cmp(&**other)
    }
}

impl<T: Ord + ?Sized> Ord for PyGcArc<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        (**self).cmp(&**other)
    }
}

impl<T: Hash + ?Sized> Hash for PyGcArc<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}
