//! The references that a slot of a real object can hold, behind one type, and what the shared pointers among them point to.

use std::cell::RefCell;
use std::ptr;
use std::rc::Rc;
use std::sync::{Arc, Mutex, RwLock};

use pyo3::prelude::*;
use pyo3_gc::{PyGcArc, PyGcOpaque, PyGcTraversable};

use super::classes::Open;
use crate::support::DropProbe;

/// Stands in each real node: which one it is, and a probe that tells when the node is deallocated.
#[derive(Default)]
pub(crate) struct Tag {
    pub(crate) id: usize,
    #[expect(dead_code, reason = "its drop is counted")]
    pub(crate) probe: Option<DropProbe>,
}
pyo3_gc::leaf!(Tag);

pub(crate) type Object = Py<PyAny>;

/// Python's `None`, which stands in a bare field that is empty.
#[allow(clippy::redundant_closure_for_method_calls, reason = "a method's lifetime isn't general enough")]
pub(crate) fn none() -> Object {
    Python::attach(|py| py.None())
}

/// What an `Arc` points to.
#[derive(PyGcTraversable, Default)]
pub(crate) struct ArcContents {
    pub(crate) objects: Mutex<Vec<Object>>,
    pub(crate) next: RwLock<Option<Arc<ArcContents>>>,
    pub(crate) fixed: Option<Object>,
    pub(crate) tag: Tag,
}

/// What an `Rc` points to.
#[derive(PyGcTraversable, Default)]
pub(crate) struct RcContents {
    pub(crate) objects: RefCell<Vec<Object>>,
    pub(crate) next: RefCell<Option<Rc<RcContents>>>,
    pub(crate) tag: Tag,
}

/// What a `PyGcArc` points to.
#[derive(PyGcTraversable, Default)]
pub(crate) struct GcArcContents {
    pub(crate) objects: Mutex<Vec<Object>>,
    pub(crate) next: RwLock<Option<PyGcArc<GcArcContents>>>,
    pub(crate) fixed: Option<Object>,
    pub(crate) arc: Mutex<Option<Arc<ArcContents>>>,
    pub(crate) tag: Tag,
}

/// A reference to a node, owned.
pub(crate) enum Value {
    Object(Object),
    Arc(Arc<ArcContents>),
    Rc(Rc<RcContents>),
    GcArc(PyGcArc<GcArcContents>),
}

impl Value {
    /// Tells the node from all others that are alive.
    pub(crate) fn address(&self) -> usize {
        match self {
            Self::Object(object) => object.as_ptr() as usize,
            Self::Arc(contents) => Arc::as_ptr(contents) as usize,
            Self::Rc(contents) => Rc::as_ptr(contents) as usize,
            Self::GcArc(contents) => ptr::from_ref::<GcArcContents>(contents) as usize,
        }
    }

    /// One more reference.
    pub(crate) fn again(&self, py: Python<'_>) -> Self {
        match self {
            Self::Object(object) => Self::Object(object.clone_ref(py)),
            Self::Arc(contents) => Self::Arc(Arc::clone(contents)),
            Self::Rc(contents) => Self::Rc(Rc::clone(contents)),
            Self::GcArc(contents) => Self::GcArc(contents.clone_ref(py)),
        }
    }
}

/// What an object is born with: a value, or none, for each field that is written at birth, in order.
pub(crate) struct Births(std::vec::IntoIter<Option<Value>>);

impl Births {
    pub(crate) fn new(values: Vec<Option<Value>>) -> Self {
        Self(values.into_iter())
    }

    pub(crate) fn maybe<I: Item>(&mut self) -> Option<I> {
        self.0.next().flatten().map(I::from_value)
    }

    pub(crate) fn one<I: Item>(&mut self) -> I {
        self.maybe().expect("the model fills what can't be empty")
    }
}

/// What fields are made of.
pub(crate) trait Item: Sized {
    /// Takes a value, whose kind the model has checked.
    fn from_value(value: Value) -> Self;
    fn into_value(self) -> Value;
    /// One more reference to what it holds, if anything.
    fn value(&self, py: Python<'_>) -> Option<Value>;
}

macro_rules! items {
    ($($variant:ident($ty:ty) = |$item:ident, $py:ident| $again:expr;)+) => {$(
        impl Item for $ty {
            fn from_value(value: Value) -> Self {
                match value {
                    Value::$variant(item) => item,
                    _ => unreachable!("the model holds nothing else here"),
                }
            }

            fn into_value(self) -> Value {
                Value::$variant(self)
            }

            fn value(&self, $py: Python<'_>) -> Option<Value> {
                let $item = self;
                $again.map(Value::$variant)
            }
        }
    )+};
}

items! {
    Object(Object) = |object, py| (!object.is_none(py)).then(|| object.clone_ref(py));
    Arc(Arc<ArcContents>) = |contents, _py| Some(Arc::clone(contents));
    Rc(Rc<RcContents>) = |contents, _py| Some(Rc::clone(contents));
    GcArc(PyGcArc<GcArcContents>) = |contents, py| Some(contents.clone_ref(py));
}

impl Item for Py<Open> {
    fn from_value(value: Value) -> Self {
        Python::attach(|py| Object::from_value(value).bind(py).cast::<Open>().unwrap().clone().unbind())
    }

    fn into_value(self) -> Value {
        Value::Object(self.into_any())
    }

    fn value(&self, py: Python<'_>) -> Option<Value> {
        self.as_any().value(py)
    }
}

impl<I: Item> Item for PyGcOpaque<I> {
    fn from_value(value: Value) -> Self {
        Self::new(I::from_value(value))
    }

    fn into_value(self) -> Value {
        self.into_inner().into_value()
    }

    fn value(&self, py: Python<'_>) -> Option<Value> {
        (**self).value(py)
    }
}

/// A part that is hidden, in a whole that is cleared.
impl<I: Item> Item for (PyGcOpaque<I>, Option<Object>) {
    fn from_value(value: Value) -> Self {
        (PyGcOpaque::from_value(value), None)
    }

    fn into_value(self) -> Value {
        self.0.into_value()
    }

    fn value(&self, py: Python<'_>) -> Option<Value> {
        self.0.value(py)
    }
}
