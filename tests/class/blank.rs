//! A collection that meets an instance which has no contents yet.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::{Arc, Mutex};

use pyo3::prelude::*;
use pyo3::types::PyDict;
use pyo3_gc::{pyclass, pymethods};

use crate::support::process::in_a_process_of_its_own;

/// CPython 3.11 makes the `__dict__` when the instance is already tracked, and collects whenever it is asked for memory.
#[pyclass(dict, subclass)]
struct Whole {
    value: Py<PyAny>,
    list: Vec<Py<PyAny>>,
    deque: VecDeque<Py<PyAny>>,
    by_name: HashMap<String, Py<PyAny>>,
    sorted: BTreeMap<String, Py<PyAny>>,
    shared: Arc<Vec<Py<PyAny>>>,
    locked: Mutex<Option<Box<Whole>>>,
    boxed: Box<[Py<PyAny>]>,
    pair: (u8, Py<PyAny>),
}

impl Whole {
    fn with(value: &Bound<'_, PyAny>) -> Self {
        let value = || value.clone().unbind();
        Self {
            value: value(),
            list: vec![value()],
            deque: VecDeque::from([value()]),
            by_name: HashMap::from([("a".into(), value())]),
            sorted: BTreeMap::from([("a".into(), value())]),
            shared: Arc::new(vec![value()]),
            locked: Mutex::new(None),
            boxed: Box::new([value()]),
            pair: (0, value()),
        }
    }
}

#[pymethods]
impl Whole {
    #[new]
    fn new(value: &Bound<'_, PyAny>) -> Self {
        Self::with(value)
    }
}

#[pyclass(frozen, dict)]
struct OneReference(Arc<Py<PyAny>>);

#[pymethods]
impl OneReference {
    #[new]
    fn new(value: Py<PyAny>) -> Self {
        Self(Arc::new(value))
    }
}

/// Has no `__dict__` of its own, but a base with one.
#[pyclass(extends = Whole)]
struct Extending(Arc<Py<PyAny>>);

#[pymethods]
impl Extending {
    #[new]
    fn new(value: &Bound<'_, PyAny>) -> PyClassInitializer<Self> {
        PyClassInitializer::from(Whole::with(value)).add_subclass(Self(Arc::new(value.clone().unbind())))
    }
}

#[test]
fn a_collection_before_there_are_contents() {
    in_a_process_of_its_own(|| {
        Python::attach(|py| {
            let scope = PyDict::new(py);
            scope.set_item("Whole", py.get_type::<Whole>()).unwrap();
            scope.set_item("OneReference", py.get_type::<OneReference>()).unwrap();
            scope.set_item("Extending", py.get_type::<Extending>()).unwrap();
            py.run(
                cr#"
import gc, weakref

class Derived(Whole):
    pass

class Value:
    pass

gc.set_threshold(1)
values = []
for kind in Whole, OneReference, Extending, Derived:
    for _ in range(100):
        value = Value()
        values.append(weakref.ref(value))
        value.holder = kind(value)
        value.holder.attribute = 1
        del value
gc.collect()
gc.collect()
assert not any(value() for value in values), "what was made all the same is collected"
"#,
                Some(&scope),
                None,
            )
            .unwrap();
        });
    });
}
