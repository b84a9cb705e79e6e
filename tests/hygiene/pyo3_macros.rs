//! The derive beside PyO3's own macros, whose keys of `#[pyo3(…)]` it passes over.

#![deny(warnings)]
#![allow(
    dead_code,
    clippy::needless_pass_by_value,
    clippy::unnecessary_wraps,
    reason = "that it compiles is most of the test"
)]

use std::collections::HashMap;

use pyo3::prelude::*;
use pyo3_gc::PyGcTraversable;

type Object = Option<Py<PyAny>>;

/// Does not implement the trait, but all of PyO3's.
#[derive(Clone, Default, FromPyObject, IntoPyObject, IntoPyObjectRef)]
struct Foreign {
    value: u8,
}

mod classes {
    use super::*;

    /// The derive below the class attribute, which has read `#[pyo3(…)]` by then.
    #[pyclass(name = "Renamed", module = "hygiene", subclass, weakref, dict)]
    #[derive(PyGcTraversable)]
    pub(crate) struct Below {
        #[pyo3(get, set, name = "object")]
        value: Object,
        #[pyo3(get)]
        #[pyo3_gc(clear = false)]
        kept: Object,
        #[pyo3(get)]
        #[pyo3_gc(skip)]
        foreign: Foreign,
        #[pyo3(get, set)]
        list: Vec<u8>,
    }

    #[pymethods]
    impl Below {
        #[new]
        pub(crate) fn new(value: Object) -> Self {
            Self { value, kept: None, foreign: Foreign::default(), list: Vec::new() }
        }

        fn __traverse__(&self, visit: pyo3::PyVisit<'_>) -> Result<(), pyo3::PyTraverseError> {
            PyGcTraversable::traverse(self, visit)
        }

        fn __clear__(&mut self) {
            PyGcTraversable::clear(self);
        }
    }

    /// The derive above it, which sees all of them.
    #[derive(PyGcTraversable)]
    #[pyclass(get_all, frozen, generic)]
    #[pyo3(name = "Above")]
    pub(crate) struct Above {
        #[pyo3(name = "object")]
        value: Object,
        #[pyo3_gc(skip)]
        foreign: Foreign,
    }

    #[derive(PyGcTraversable)]
    #[pyclass(extends = Below)]
    struct Sub(#[pyo3(get, name = "object")] Object, #[pyo3_gc(skip)] Foreign);

    #[derive(PyGcTraversable)]
    #[pyclass(eq, eq_int, rename_all = "UPPERCASE")]
    #[derive(PartialEq)]
    enum Simple {
        #[pyo3(name = "FIRST")]
        One,
        Two = 7,
    }

    #[derive(PyGcTraversable)]
    #[pyclass]
    enum Complex {
        #[pyo3(constructor = (value = None, *, list = Vec::new()), name = "Values")]
        Named {
            value: Object,
            list: Vec<u8>,
        },
        #[pyo3(constructor = (_0, _1 = None))]
        Tuple(u8, Object),
        Empty {},
    }
}

mod conversions {
    use super::*;

    fn convert(object: &Bound<'_, PyAny>) -> PyResult<Object> {
        Ok(Some(object.clone().unbind()))
    }

    fn gc() -> u8 {
        1
    }

    #[derive(FromPyObject, IntoPyObject, PyGcTraversable)]
    #[pyo3(from_item_all, rename_all = "camelCase")]
    struct Items {
        #[pyo3(item("object"), from_py_with = convert)]
        value: Object,
        #[pyo3(default = gc())]
        gc: u8,
        #[pyo3(item("foreign"))]
        #[pyo3_gc(skip)]
        foreign: Foreign,
        list: Vec<Items>,
    }

    #[derive(FromPyObject, PyGcTraversable)]
    struct Attributes<T> {
        #[pyo3(attribute("object"))]
        value: Object,
        #[pyo3(attribute)]
        generic: Vec<T>,
        #[pyo3(default)]
        defaulted: Object,
    }

    #[derive(FromPyObject, IntoPyObject, PyGcTraversable)]
    #[pyo3(transparent)]
    struct Transparent {
        value: HashMap<String, Py<PyAny>>,
    }

    #[derive(FromPyObject, IntoPyObject, PyGcTraversable)]
    #[pyo3(transparent)]
    struct TransparentTuple(#[pyo3_gc(skip)] Foreign);

    #[derive(FromPyObject, IntoPyObject, PyGcTraversable)]
    enum Either {
        #[pyo3(transparent, annotation = "int")]
        Int(u64),
        #[pyo3(transparent)]
        List {
            items: Vec<Either>,
        },
        #[pyo3(annotation = "pair", from_item_all)]
        Items {
            one: Object,
            two: Object,
        },
        Pair(Py<PyAny>, #[pyo3_gc(skip)] Foreign),
        #[pyo3(transparent)]
        CatchAll(Py<PyAny>),
    }

    /// Keys that only look like ours, where none of PyO3's macros would take them.
    #[derive(PyGcTraversable)]
    #[pyo3(path = "a::b", call(gc = false), list[gc], from_py_with = f::<A, gc::B>, generic = M<A, gc<B>>)]
    struct Look {
        #[pyo3(signature = (a, gc = false), nested(gc), not_gc = false, r#gc2, "gc", gc::path, 1 + 2)]
        value: Object,
    }
}

#[test]
fn the_class_is_traversed() {
    Python::attach(|py| {
        let gc = py.import("gc").unwrap();
        let object = py.eval(c"type('Object', (), {})()", None, None).unwrap();
        let owner = Bound::new(py, classes::Below::new(Some(object.clone().unbind()))).unwrap();
        let referents = gc.call_method1("get_referents", (owner,)).unwrap();
        assert!(referents.contains(object).unwrap());
    });
}
