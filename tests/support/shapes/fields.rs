//! Fields of every kind that hold a marker: a Python object that refers back to whoever holds it.

#![allow(dead_code, reason = "each test uses what it needs")]

use std::cell::RefCell;
use std::collections::HashMap;
use std::mem;
use std::rc::Rc;
use std::sync::{Arc, Mutex, OnceLock, RwLock};
use std::thread;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3_gc::{PyGcArc, PyGcErr, PyGcOpaque, PyGcTraversable};

type Object = Py<PyAny>;

pub(crate) trait Field: Sized {
    fn of(py: Python<'_>, marker: Object) -> Self;

    /// `None` if there is none, which means that the collector has taken it.
    fn marker(&self, py: Python<'_>) -> Option<Object>;
}

/// One that can be changed behind a shared reference.
pub(crate) trait Interior: Field {
    /// Holds another marker, and drops the one before when nothing is locked any more.
    fn put(&self, py: Python<'_>, marker: Object);

    /// What a thread can do whether or not it is attached: to hold a lock, to clone a pointer.
    fn touch(&self);
}

impl Field for Object {
    fn of(_: Python<'_>, marker: Object) -> Self {
        marker
    }

    fn marker(&self, py: Python<'_>) -> Option<Object> {
        (!self.is_none(py)).then(|| self.clone_ref(py))
    }
}

impl Field for Option<Object> {
    fn of(_: Python<'_>, marker: Object) -> Self {
        Some(marker)
    }

    fn marker(&self, py: Python<'_>) -> Option<Object> {
        Some(self.as_ref()?.clone_ref(py))
    }
}

impl Field for Vec<Object> {
    fn of(py: Python<'_>, marker: Object) -> Self {
        vec![marker.clone_ref(py), marker]
    }

    fn marker(&self, py: Python<'_>) -> Option<Object> {
        Some(self.last()?.clone_ref(py))
    }
}

impl Field for HashMap<String, Object> {
    fn of(py: Python<'_>, marker: Object) -> Self {
        Self::from([("one".into(), marker.clone_ref(py)), ("two".into(), marker)])
    }

    fn marker(&self, py: Python<'_>) -> Option<Object> {
        Some(self.get("two")?.clone_ref(py))
    }
}

/// Names itself.
#[derive(PyGcTraversable)]
pub(crate) enum Tree {
    Leaf(Option<Object>),
    Branch { left: Box<Tree>, others: Vec<Tree> },
}

impl Field for Tree {
    fn of(py: Python<'_>, marker: Object) -> Self {
        let others = vec![Self::Leaf(Some(marker.clone_ref(py))), Self::Leaf(None)];
        Self::Branch { left: Box::new(Self::Leaf(Some(marker))), others }
    }

    fn marker(&self, py: Python<'_>) -> Option<Object> {
        match self {
            Self::Leaf(object) => object.marker(py),
            Self::Branch { left, others } => others.first()?.marker(py).and(left.marker(py)),
        }
    }
}

/// Generic, with a key that is hidden.
#[derive(PyGcTraversable)]
pub(crate) struct Entry<K, V> {
    key: PyGcOpaque<K>,
    value: Option<V>,
}

impl Field for Entry<Object, Object> {
    fn of(py: Python<'_>, marker: Object) -> Self {
        // Not the marker, which would leak.
        Self { key: py.get_type::<PyRuntimeError>().into_any().unbind().into(), value: Some(marker) }
    }

    fn marker(&self, py: Python<'_>) -> Option<Object> {
        assert!(self.key.bind(py).is(py.get_type::<PyRuntimeError>()));
        self.value.marker(py)
    }
}

impl Field for PyGcErr {
    fn of(_: Python<'_>, marker: Object) -> Self {
        PyRuntimeError::new_err(marker).into()
    }

    fn marker(&self, py: Python<'_>) -> Option<Object> {
        Some(self.value().bind(py).getattr("args").unwrap().get_item(0).ok()?.unbind())
    }
}

impl Field for OnceLock<Object> {
    fn of(_: Python<'_>, marker: Object) -> Self {
        marker.into()
    }

    fn marker(&self, py: Python<'_>) -> Option<Object> {
        Some(self.get()?.clone_ref(py))
    }
}

/// Written once: what comes later is dropped.
impl Interior for OnceLock<Object> {
    fn put(&self, _: Python<'_>, marker: Object) {
        drop(marker);
    }

    fn touch(&self) {
        assert!(self.get().is_some());
    }
}

macro_rules! locks {
    ($($lock:ident: $read:ident, $write:ident;)+) => {$(
        impl<F: Field> Field for $lock<F> {
            fn of(py: Python<'_>, marker: Object) -> Self {
                Self::new(F::of(py, marker))
            }

            fn marker(&self, py: Python<'_>) -> Option<Object> {
                self.$read().unwrap().marker(py)
            }
        }

        impl<F: Field> Interior for $lock<F> {
            fn put(&self, py: Python<'_>, marker: Object) {
                let new = F::of(py, marker);
                let old = mem::replace(&mut *self.$write().unwrap(), new);
                drop(old);
            }

            fn touch(&self) {
                let guard = self.$write().unwrap();
                thread::yield_now();
                drop(guard);
            }
        }
    )+};
}
locks! {
    Mutex: lock, lock;
    RwLock: read, write;
}

macro_rules! pointers {
    ($(impl[$param:ident: $bound:path] $pointer:ty, new |$py:ident, $contents:ident| $new:expr;)+) => {$(
        impl<$param: $bound> Field for $pointer {
            fn of($py: Python<'_>, marker: Object) -> Self {
                let $contents = $param::of($py, marker);
                $new
            }

            fn marker(&self, py: Python<'_>) -> Option<Object> {
                (**self).marker(py)
            }
        }
    )+};
}
pointers! {
    impl[F: Field] Rc<F>, new |_py, contents| Self::new(contents);
    impl[F: Field] Arc<F>, new |_py, contents| Self::new(contents);
    impl[F: Shared] PyGcArc<F>, new |py, contents| Self::new(py, contents).unwrap();
}

/// What a [`PyGcArc`] can hold.
pub(crate) trait Shared: Field + PyGcTraversable + Send + Sync + 'static {}
impl<F: Field + PyGcTraversable + Send + Sync + 'static> Shared for F {}

impl<F: Interior> Interior for Arc<F> {
    fn put(&self, py: Python<'_>, marker: Object) {
        (**self).put(py, marker);
    }

    fn touch(&self) {
        let clone = Self::clone(self);
        (*clone).touch();
    }
}

impl<F: Shared + Interior> Interior for PyGcArc<F> {
    fn put(&self, py: Python<'_>, marker: Object) {
        (**self).put(py, marker);
    }

    fn touch(&self) {
        (**self).touch();
    }
}

impl<F: Field> Field for RefCell<F> {
    fn of(py: Python<'_>, marker: Object) -> Self {
        Self::new(F::of(py, marker))
    }

    fn marker(&self, py: Python<'_>) -> Option<Object> {
        self.borrow().marker(py)
    }
}
