use std::fmt;
use std::ptr::NonNull;

use pyo3::PyVisit;
use pyo3::prelude::*;
use pyo3::types::{PyWeakrefMethods, PyWeakrefReference};

use super::{Node, PyGcArc};
use crate::traversable::TraverseResult;
use crate::{Graveyard, PyGcTraversable};

/// A pointer to the contents of a [`PyGcArc`] that doesn't keep them alive, such as one from a child to its parent.
///
/// It is a Python weak reference to the node. So it ends when the last holder goes, or when the collector finds that only
/// garbage holds the node: before anything is cleared, so that nobody comes by contents that were emptied.
///
/// # Examples
///
/// ```
/// use pyo3::prelude::*;
/// use pyo3_gc::{PyGcArc, PyGcWeak};
///
/// #[derive(pyo3_gc::PyGcTraversable)]
/// struct Directory {
///     name: String,
///     parent: Option<PyGcWeak<Directory>>,
/// }
///
/// # fn main() -> PyResult<()> {
/// Python::attach(|py| {
///     let root = PyGcArc::new(py, Directory { name: "/".into(), parent: None })?;
///     let parent = Some(PyGcArc::downgrade(&root, py)?);
///     let home = PyGcArc::new(py, Directory { name: "home".into(), parent })?;
///
///     let parent = || home.parent.as_ref().and_then(|parent| parent.upgrade(py));
///     assert_eq!(parent().unwrap().name, "/");
///     drop(root);
///     assert!(parent().is_none());
///     Ok(())
/// })
/// # }
/// ```
pub struct PyGcWeak<T: ?Sized> {
    node: Py<PyWeakrefReference>,
    /// As in the [`PyGcArc`] that it comes from; not to be followed without one.
    contents: NonNull<T>,
}

// SAFETY: all that can be done with it is to make it a `PyGcArc`, which asks for the same.
unsafe impl<T: Send + Sync + ?Sized> Send for PyGcWeak<T> {}
// SAFETY: as above.
unsafe impl<T: Send + Sync + ?Sized> Sync for PyGcWeak<T> {}

impl<T: ?Sized> PyGcArc<T> {
    /// A pointer that doesn't keep the contents alive.
    ///
    /// # Errors
    ///
    /// `MemoryError` if Python can't allocate the weak reference.
    pub fn downgrade(this: &Self, py: Python<'_>) -> PyResult<PyGcWeak<T>> {
        let node = PyWeakrefReference::new(this.node.bind(py))?.unbind();
        Ok(PyGcWeak { node, contents: this.contents })
    }
}

impl<T: ?Sized> PyGcWeak<T> {
    /// A holder of the contents, unless they are gone or about to go.
    #[must_use]
    pub fn upgrade(&self, py: Python<'_>) -> Option<PyGcArc<T>> {
        // A weak reference never refers to another object than the one that it was made for, whose contents these are, and
        // to none whose last reference is gone, even if it is just being deallocated.
        let node = self.node.bind(py).upgrade()?.cast_into::<Node>().ok()?.unbind();
        Some(PyGcArc { node, contents: self.contents })
    }

    /// Another pointer to the same contents.
    #[must_use]
    pub fn clone_ref(&self, py: Python<'_>) -> Self {
        Self { node: self.node.clone_ref(py), contents: self.contents }
    }
}

/// Another pointer to the same contents, as [`clone_ref`](PyGcWeak::clone_ref) gives it.
///
/// # Panics
///
/// While the thread isn't attached to the interpreter, as the clone of a [`Py`] does.
#[cfg(feature = "py-clone")]
#[cfg_attr(docsrs, doc(cfg(feature = "py-clone")))]
impl<T: ?Sized> Clone for PyGcWeak<T> {
    fn clone(&self) -> Self {
        Self { node: self.node.clone(), contents: self.contents }
    }
}

impl<T: ?Sized> fmt::Debug for PyGcWeak<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(PyGcWeak)")
    }
}

// SAFETY: 1 and 4: one reference to the weak reference, visited once. 2: `PyVisit::call` only passes the pointer on. 3:
// passed on. 5: true. 6: nothing is cleared: what it refers to, it doesn't own.
unsafe impl<T: ?Sized> PyGcTraversable for PyGcWeak<T> {
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
