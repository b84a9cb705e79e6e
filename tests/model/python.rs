//! The nodes that Python has itself, or makes of our classes.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyList};
use pyo3_gc::PyGcTraversable;

use super::classes::Open;
use super::kind::Kind;
use super::slot::Slot;
use super::value::{Item, Object, Tag, Value};

/// Held by each node of Python's own: goes with it, or when it is cleared. It is known to the collector, so that a `dict`
/// which holds nothing else is known to it, too.
#[pyo3::pyclass]
#[derive(PyGcTraversable)]
pub(crate) struct Token(Tag);
crate::support::hooks!(Token);

const TOKEN: &str = "token";

/// What all graphs share. Made once, and hidden from the collector for good.
pub(crate) struct Environment {
    instance: Object,
    finalizer: Object,
    weak_list: Object,
    weak_dict: Object,
    heir: Object,
    /// Where `__del__` stores its object.
    pub(crate) rescued: Py<PyList>,
    /// Errors that nobody could be told of: those of hooks and destructors.
    pub(crate) reports: Py<PyList>,
    collect: Object,
    freeze: Object,
}

impl Environment {
    pub(crate) fn get(py: Python<'_>) -> &Self {
        static ENVIRONMENT: PyOnceLock<Environment> = PyOnceLock::new();
        ENVIRONMENT.get_or_init(py, || Self::new(py).unwrap())
    }

    fn new(py: Python<'_>) -> PyResult<Self> {
        let scope = PyDict::new(py);
        scope.set_item("Open", py.get_type::<Open>())?;
        let code = c"
class Instance:
    pass

rescued = []

class Finalizer:
    def __del__(self):
        rescued.append(self)

class WeakList(list):
    __slots__ = ('__weakref__',)

class WeakDict(dict):
    __slots__ = ('__weakref__',)

class Heir(Open):
    pass

import sys
reports = []
sys.unraisablehook = lambda report: reports.append(repr(report.exc_value))
";
        py.run(code, Some(&scope), None)?;
        let gc = py.import("gc")?;
        let get = |name| scope.as_any().get_item(name);
        let environment = Self {
            instance: get("Instance")?.unbind(),
            finalizer: get("Finalizer")?.unbind(),
            weak_list: get("WeakList")?.unbind(),
            weak_dict: get("WeakDict")?.unbind(),
            heir: get("Heir")?.unbind(),
            rescued: get("rescued")?.cast_into::<PyList>()?.unbind(),
            reports: get("reports")?.cast_into::<PyList>()?.unbind(),
            collect: gc.getattr("collect")?.unbind(),
            freeze: gc.getattr("freeze")?.unbind(),
        };
        environment.collect(py, 2);
        environment.freeze(py);
        Ok(environment)
    }

    /// One round of the collector, over generations up to `generation`.
    pub(crate) fn collect(&self, py: Python<'_>, generation: u8) {
        self.collect.call1(py, (generation,)).unwrap();
    }

    /// Hides all that is there from further collections: what leaks by the rules, and what a failure leaves behind, is no
    /// part of the next graph.
    pub(crate) fn freeze(&self, py: Python<'_>) {
        self.freeze.call0(py).unwrap();
        let rescued = self.rescued.bind(py);
        while !rescued.is_empty() {
            rescued.call_method0("clear").unwrap(); // which can run further destructors
        }
    }

    /// An object of one of Python's own kinds.
    pub(crate) fn make<'py>(&self, py: Python<'py>, kind: Kind, token: Tag) -> Bound<'py, PyAny> {
        let make = |class: &Object| class.bind(py).call0().unwrap();
        let object = match kind {
            Kind::Instance => make(&self.instance),
            Kind::Finalizer => make(&self.finalizer),
            Kind::WeakList => make(&self.weak_list),
            Kind::WeakDict => make(&self.weak_dict),
            Kind::List => PyList::empty(py).into_any(),
            Kind::Dict => PyDict::new(py).into_any(),
            _ => unreachable!("a kind of ours"),
        };
        Self::with_token(object, token)
    }

    /// An instance of Python's subclass of `Open`.
    pub(crate) fn heir<'py>(&self, py: Python<'py>) -> Bound<'py, Open> {
        self.heir.bind(py).call0().unwrap().cast_into().unwrap()
    }

    fn with_token(object: Bound<'_, PyAny>, token: Tag) -> Bound<'_, PyAny> {
        let token = Bound::new(object.py(), Token(token)).unwrap().into_any();
        match Edges::of(&object) {
            Edges::Items(list) => list.append(token),
            Edges::Values(dict) => dict.set_item(TOKEN, token),
            Edges::Attributes(object) => object.setattr(TOKEN, token),
        }
        .unwrap();
        object
    }
}

/// The edges of a node of Python's own, beside its token.
pub(crate) enum Edges<'a, 'py> {
    Items(&'a Bound<'py, PyList>),
    Values(&'a Bound<'py, PyDict>),
    Attributes(&'a Bound<'py, PyAny>),
}

impl<'a, 'py> Edges<'a, 'py> {
    pub(crate) fn of(object: &'a Bound<'py, PyAny>) -> Self {
        let list = object.cast().map(Self::Items);
        list.or_else(|_| object.cast().map(Self::Values)).unwrap_or(Self::Attributes(object))
    }

    pub(crate) fn id(&self) -> usize {
        let token = match self {
            Self::Items(list) => list.get_item(0).unwrap(),
            Self::Values(dict) => dict.get_item(TOKEN).unwrap().unwrap(),
            Self::Attributes(object) => object.getattr(TOKEN).unwrap(),
        };
        token.cast::<Token>().unwrap().borrow().0.id
    }
}

fn attribute(key: u8) -> String {
    format!("edge_{key}")
}

impl Slot for Edges<'_, '_> {
    fn put(&mut self, key: u8, value: Value) -> Option<Value> {
        let object = Object::from_value(value);
        match self {
            Self::Items(list) => list.append(object),
            Self::Values(dict) => dict.set_item(key, object),
            Self::Attributes(owner) => owner.setattr(attribute(key), object),
        }
        .unwrap();
        None
    }

    fn take(&mut self, position: usize, key: u8) -> Value {
        let object = match self {
            Self::Items(list) => {
                let item = list.get_item(position + 1).unwrap();
                list.del_item(position + 1).unwrap();
                item
            }
            Self::Values(dict) => {
                let value = dict.get_item(key).unwrap().unwrap();
                dict.del_item(key).unwrap();
                value
            }
            Self::Attributes(owner) => {
                let value = owner.getattr(attribute(key)).unwrap();
                owner.delattr(attribute(key)).unwrap();
                value
            }
        };
        Value::Object(object.unbind())
    }

    fn values(&self, _: Python<'_>) -> Vec<Value> {
        let value = |object: Bound<'_, PyAny>| {
            (!object.is_instance_of::<Token>()).then(|| Value::Object(object.unbind()))
        };
        match self {
            Self::Items(list) => list.iter().filter_map(value).collect(),
            Self::Values(dict) => dict.values().iter().filter_map(value).collect(),
            Self::Attributes(owner) => {
                let attributes = owner.getattr("__dict__").unwrap().cast_into::<PyDict>().unwrap();
                attributes.values().iter().filter_map(value).collect()
            }
        }
    }
}
