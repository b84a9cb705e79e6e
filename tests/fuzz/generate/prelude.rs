//! What the generated items refer to, with a line or two of everything: the library of the generated package.

/// In scope of every item.
pub mod prelude {
    pub use std::borrow::Cow;
    pub use std::cell::{Cell, OnceCell, RefCell};
    pub use std::collections::{BTreeMap, HashMap, HashSet, LinkedList, VecDeque};
    pub use std::marker::PhantomData;
    pub use std::mem::ManuallyDrop;
    pub use std::pin::Pin;
    pub use std::ptr::NonNull;
    pub use std::rc::Rc;
    pub use std::sync::{Arc, Mutex, OnceLock, RwLock, Weak};

    pub use pyo3::prelude::*;
    pub use pyo3::types::{PyDict, PyList};
    pub use pyo3_gc::{PyGcArc, PyGcErr, PyGcOpaque, PyGcTraversable, traversable};

    pub use crate::*;
}

/// The crate under another path.
pub mod reexport {
    pub use pyo3_gc;
}

use pyo3::prelude::*;
use pyo3::{PyTraverseError, PyVisit};
use pyo3_gc::{DynPyGcTraversable, Graveyard, PyGcTraversable, PyGcTraverseAs};

/// Doesn't implement the trait.
#[derive(Default)]
pub struct Foreign(pub u8);

/// Nor does this, whatever it is over.
pub struct ForeignOver<T: ?Sized>(pub std::marker::PhantomData<fn() -> Box<T>>);

/// Nor this, which PyO3's getters can show.
#[derive(Clone, Default, FromPyObject, IntoPyObject, IntoPyObjectRef)]
pub struct Convertible {
    pub value: u8,
}

/// A leaf.
pub struct Plain(pub u8);
pyo3_gc::leaf!(Plain);

/// Holds an object.
#[derive(PyGcTraversable)]
pub struct Nested {
    pub object: Option<Py<PyAny>>,
}

/// Holds what it is over.
#[derive(PyGcTraversable)]
pub struct Pair<T>(pub T, pub T);

/// Another name for a container.
pub type Many<T> = Vec<T>;

/// A type that a macro spells.
#[macro_export]
macro_rules! objects {
    () => { Vec<Py<PyAny>> };
}

/// A trait whose objects are declared.
pub trait Shape: DynPyGcTraversable + Send + Sync {}
pyo3_gc::dyn_traversable!(Shape);

/// A trait whose objects are not.
pub trait Undeclared: Send + Sync {}

/// Stands in for every type.
pub struct StandIn;

// SAFETY: 1 to 4 and 6: nothing is visited or cleared. 5: true.
unsafe impl<T: ?Sized> PyGcTraverseAs<T> for StandIn {
    const MAY_CONTAIN_CYCLES: bool = true;

    fn traverse(_: &T, _: PyVisit<'_>) -> Result<(), PyTraverseError> {
        Ok(())
    }

    fn clear_into<'g>(_: &mut T, _: &mut Graveyard<'g>)
    where
        T: 'g,
    {
    }
}

/// So does this.
pub struct StandInOver<A, B>(A, B);

// SAFETY: as above.
unsafe impl<T: ?Sized, A, B> PyGcTraverseAs<T> for StandInOver<A, B> {
    const MAY_CONTAIN_CYCLES: bool = true;

    fn traverse(_: &T, _: PyVisit<'_>) -> Result<(), PyTraverseError> {
        Ok(())
    }

    fn clear_into<'g>(_: &mut T, _: &mut Graveyard<'g>)
    where
        T: 'g,
    {
    }
}

/// Doesn't, being none.
pub mod module {}
