//! Wired classes of every shape. Each instance holds a marker; see [`Field`].

#![allow(dead_code, reason = "each test uses what it needs")]

use std::cell::RefCell;
use std::collections::HashMap;
use std::mem;
use std::rc::Rc;
use std::sync::{Arc, Mutex, OnceLock, RwLock};

use pyo3::PyClass;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3_gc::{PyGcArc, PyGcErr, pyclass, pymethods};

mod fields;
use crate::support::{DropCounter, DropProbe, visits};
use fields::{Entry, Field, Interior, Tree};

type Object = Py<PyAny>;

/// A class whose instances are built, shared, changed and dropped.
pub(crate) trait Shape: PyClass {
    /// Whether it may go to other threads.
    const IS_SENDABLE: bool = true;
    /// Whether [`touch`](Self::touch) takes no lock, and changes nothing that the collector sees.
    const NEVER_CHANGES: bool = false;

    fn new(py: Python<'_>, marker: Object, counter: &DropCounter) -> Py<Self>;

    /// Holds another marker, unless somebody else is at it.
    fn put(object: &Bound<'_, Self>, marker: Object);

    /// The marker that it holds, if any is left; an error if somebody else is at it.
    fn marker(object: &Bound<'_, Self>) -> PyResult<Option<Object>>;

    /// Somebody else who owns what `object` holds.
    fn share(_object: &Bound<'_, Self>, _counter: &DropCounter) -> Option<Object> {
        None
    }

    /// Whether it does, whoever wrote the hooks.
    fn leaks(_: Python<'_>) -> bool {
        false
    }

    /// [`Interior::touch`]; for any thread.
    fn touch(_object: &Py<Self>) {}
}

/// Classes that are changed through `&mut`.
macro_rules! mutable {
    ($($(#[$attr:meta])* $class:ident($ty:ty) $({ $($item:item)* })?;)+) => {$(
        $(#[$attr])*
        pub(crate) struct $class {
            field: $ty,
            probe: DropProbe,
        }

        #[pymethods]
        impl $class {}

        impl Shape for $class {
            fn new(py: Python<'_>, marker: Object, counter: &DropCounter) -> Py<Self> {
                Py::new(py, Self { field: Field::of(py, marker), probe: counter.probe() }).unwrap()
            }

            fn put(object: &Bound<'_, Self>, marker: Object) {
                let mut new = Field::of(object.py(), marker);
                if let Ok(mut this) = object.try_borrow_mut() {
                    mem::swap(&mut this.field, &mut new);
                }
            }

            fn marker(object: &Bound<'_, Self>) -> PyResult<Option<Object>> {
                Ok(object.try_borrow()?.field.marker(object.py()))
            }

            $($($item)*)?
        }
    )+};
}

mutable! {
    #[pyclass] Optional(Option<Object>);
    #[pyclass] Bare(Object);
    #[pyclass(weakref)] Listed(Vec<Object>);
    #[pyclass] Mapped(HashMap<String, Object>);
    #[pyclass] Recursive(Tree);
    #[pyclass] Generic(Entry<Object, Object>);
    #[pyclass] Failed(PyGcErr);
    #[pyclass(unsendable)] Local(Rc<RefCell<Option<Object>>>) {
        const IS_SENDABLE: bool = false;
    };
}

/// Frozen classes, changed through locks.
macro_rules! frozen {
    ($($(#[$attr:meta])* $class:ident($ty:ty) { $($item:item)* })+) => {$(
        $(#[$attr])*
        #[pyclass(frozen)]
        pub(crate) struct $class {
            field: $ty,
            probe: DropProbe,
        }

        #[pymethods]
        impl $class {}

        impl Shape for $class {
            fn new(py: Python<'_>, marker: Object, counter: &DropCounter) -> Py<Self> {
                Py::new(py, Self { field: Field::of(py, marker), probe: counter.probe() }).unwrap()
            }

            fn put(object: &Bound<'_, Self>, marker: Object) {
                object.get().field.put(object.py(), marker);
            }

            fn marker(object: &Bound<'_, Self>) -> PyResult<Option<Object>> {
                Ok(object.get().field.marker(object.py()))
            }

            fn touch(object: &Py<Self>) {
                object.get().field.touch();
            }

            $($item)*
        }
    )+};
}

frozen! {
    Locked(Mutex<Option<Object>>) {}
    ReadLocked(RwLock<Vec<Object>>) {}
    Once(OnceLock<Object>) {
        const NEVER_CHANGES: bool = true;
    }
    GcOnce(PyGcArc<OnceLock<Object>>) {
        const NEVER_CHANGES: bool = true;
    }
    Shared(Arc<Mutex<Option<Object>>>) {
        fn share(object: &Bound<'_, Self>, counter: &DropCounter) -> Option<Object> {
            let field = Arc::clone(&object.get().field);
            Some(Py::new(object.py(), View { field, probe: counter.probe() }).unwrap().into_any())
        }
    }
    GcShared(PyGcArc<Mutex<Option<Object>>>) {
        fn share(object: &Bound<'_, Self>, counter: &DropCounter) -> Option<Object> {
            let field = object.get().field.clone_ref(object.py());
            Some(Py::new(object.py(), Self { field, probe: counter.probe() }).unwrap().into_any())
        }
    }
}

/// The other owner of a [`Shared`].
#[pyclass]
struct View {
    field: Arc<Mutex<Option<Object>>>,
    probe: DropProbe,
}

#[pymethods]
impl View {}

/// A class with a base class, each of which holds the marker.
#[pyclass(subclass)]
pub(crate) struct Base {
    field: Option<Object>,
}

#[pymethods]
impl Base {}

#[pyclass(extends = Base)]
pub(crate) struct Derived {
    field: Vec<Object>,
    probe: DropProbe,
}

#[pymethods]
impl Derived {}

impl Shape for Derived {
    fn new(py: Python<'_>, marker: Object, counter: &DropCounter) -> Py<Self> {
        let base = Base { field: Some(marker.clone_ref(py)) };
        let derived = Self { field: Field::of(py, marker), probe: counter.probe() };
        Py::new(py, PyClassInitializer::from(base).add_subclass(derived)).unwrap()
    }

    fn put(object: &Bound<'_, Self>, marker: Object) {
        let py = object.py();
        let mut new = (Field::of(py, marker.clone_ref(py)), Field::of(py, marker));
        if let Ok(mut this) = object.try_borrow_mut() {
            mem::swap(&mut this.field, &mut new.0);
            mem::swap(&mut this.as_super().field, &mut new.1);
        }
    }

    fn marker(object: &Bound<'_, Self>) -> PyResult<Option<Object>> {
        let this = object.try_borrow()?;
        let (ours, bases) = (this.field.marker(object.py()), this.as_super().field.marker(object.py()));
        Ok(bases.and(ours))
    }
}

/// Holds its marker in its `__dict__` as well.
#[pyclass(dict, weakref)]
pub(crate) struct WithDict {
    field: Option<Object>,
    probe: DropProbe,
}

#[pymethods]
impl WithDict {}

impl Shape for WithDict {
    fn new(py: Python<'_>, marker: Object, counter: &DropCounter) -> Py<Self> {
        let object = Bound::new(py, Self { field: None, probe: counter.probe() }).unwrap();
        Self::put(&object, marker);
        object.unbind()
    }

    fn put(object: &Bound<'_, Self>, marker: Object) {
        object.setattr("marker", &marker).unwrap();
        let mut new = Some(marker);
        if let Ok(mut this) = object.try_borrow_mut() {
            mem::swap(&mut this.field, &mut new);
        }
    }

    fn marker(object: &Bound<'_, Self>) -> PyResult<Option<Object>> {
        let ours = object.try_borrow()?.field.marker(object.py());
        Ok(object.getattr("marker").ok().and(ours))
    }

    /// PyO3 0.28 neither visits a `__dict__` nor frees it.
    fn leaks(py: Python<'_>) -> bool {
        static LEAKS: PyOnceLock<bool> = PyOnceLock::new();
        *LEAKS.get_or_init(py, || {
            let object = Self::new(py, py.None(), &DropCounter::default()).into_bound(py).into_any();
            visits(&object, &object.getattr("__dict__").unwrap()) == 0
        })
    }
}

/// A complex enum, whose fields must all be Python's to read.
#[pyclass]
pub(crate) enum Either {
    Left(Object, Py<Ticket>),
    Right { marker: Object, others: Vec<Object>, ticket: Py<Ticket> },
}

#[pymethods]
impl Either {}

/// A [`DropProbe`] for Python.
#[pyclass(frozen)]
pub(crate) struct Ticket {
    probe: DropProbe,
}

#[pymethods]
impl Ticket {}

impl Shape for Either {
    fn new(py: Python<'_>, marker: Object, counter: &DropCounter) -> Py<Self> {
        let ticket = Py::new(py, Ticket { probe: counter.probe() }).unwrap();
        let value = if counter.dropped() % 2 == 0 {
            Self::Left(marker, ticket)
        } else {
            Self::Right { others: vec![marker.clone_ref(py)], marker, ticket }
        };
        value.into_pyobject(py).unwrap().unbind()
    }

    /// It can't be changed.
    fn put(_: &Bound<'_, Self>, marker: Object) {
        drop(marker);
    }

    fn marker(object: &Bound<'_, Self>) -> PyResult<Option<Object>> {
        let py = object.py();
        Ok(match object.get() {
            Self::Left(marker, _) => marker.marker(py),
            Self::Right { marker, others, .. } => others.marker(py).and(marker.marker(py)),
        })
    }
}
