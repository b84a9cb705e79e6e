//! `check_class` finds nothing wrong with classes of every shape whose hooks are ours.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;
use std::sync::{Arc, Mutex, OnceLock, RwLock};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use pyo3_gc::testing::{ClassCheck, DropCounter, DropProbe, Fault, check_class};
use pyo3_gc::{PyGcArc, PyGcErr, PyGcOpaque, PyGcTraversable, pyclass, pymethods};

use crate::support::{self, assert_all_tried};

type Object = Py<PyAny>;

#[test]
fn a_class_of_many_fields() {
    #[derive(PyGcTraversable)]
    enum Tree {
        Leaf(Object),
        Node { children: Vec<Tree>, label: String },
    }

    #[pyclass]
    struct Many {
        bare: Object,
        option: Option<Object>,
        list: Vec<Object>,
        map: HashMap<String, (Object, u32)>,
        ordered: BTreeMap<u32, Box<[Object]>>,
        tree: Tree,
        once: OnceLock<Object>,
        arc: Arc<Mutex<Option<Object>>>,
        error: Option<PyGcErr>,
        probe: DropProbe,
        number: u32,
    }
    #[pymethods]
    impl Many {}

    Python::attach(|py| {
        let drops = DropCounter::new();
        let report = check_class(py, |sentinels| {
            let object = |name| sentinels.object(name);
            let error = PyValueError::new_err("no");
            error.value(py).setattr("reason", object("reason")?)?;
            let many = Many {
                bare: object("bare")?,
                option: Some(object("option")?),
                list: vec![object("list")?, object("list")?, object("other")?],
                map: HashMap::from([("key".into(), (object("map")?, 1))]),
                ordered: BTreeMap::from([(1, Box::from([object("ordered")?, object("list")?]))]),
                tree: Tree::Node { children: vec![Tree::Leaf(object("tree")?)], label: "tree".into() },
                once: OnceLock::from(object("once")?),
                arc: Arc::new(Mutex::new(Some(object("arc")?))),
                error: Some(error.into()),
                probe: drops.probe(),
                number: 1,
            };
            Bound::new(py, many)
        });
        assert_all_tried(report, 10);
        assert!(drops.made() > 0);
        assert_eq!(drops.made(), drops.dropped(), "every instance is gone");
    });
}

#[test]
fn a_frozen_class_with_locks() {
    #[pyclass(frozen)]
    struct Frozen {
        mutex: Mutex<Option<Object>>,
        lock: RwLock<Vec<Object>>,
        fixed: Object,
    }
    #[pymethods]
    impl Frozen {}

    Python::attach(|py| {
        let report = ClassCheck::new().keeps("fixed").run(py, |sentinels| {
            let frozen = Frozen {
                mutex: Mutex::new(Some(sentinels.object("mutex")?)),
                lock: RwLock::new(vec![sentinels.object("lock")?]),
                fixed: sentinels.object("fixed")?,
            };
            Bound::new(py, frozen)
        });
        assert_all_tried(report, 3);
    });
}

#[test]
fn an_enum() {
    #[pyclass]
    enum Shape {
        Circle {
            centre: Object,
        },
        Line(Object, Object),
        #[pyo3(constructor = ())]
        Empty {},
    }
    #[pymethods]
    impl Shape {}

    Python::attach(|py| {
        let report = ClassCheck::new()
            .keeps("centre")
            .run(py, |sentinels| Shape::Circle { centre: sentinels.object("centre")? }.into_pyobject(py));
        assert_all_tried(report, 1);
        let check = ClassCheck::new().keeps("from").keeps("to");
        let report = check.run(py, |sentinels| {
            Shape::Line(sentinels.object("from")?, sentinels.object("to")?).into_pyobject(py)
        });
        assert_all_tried(report, 2);
        assert_all_tried(check_class(py, |_| Shape::Empty {}.into_pyobject(py)), 0);
    });
}

#[test]
fn contents_that_are_shared() {
    #[pyclass]
    struct Sharing {
        shared: PyGcArc<Mutex<Option<Object>>>,
        again: PyGcArc<Mutex<Option<Object>>>,
        whole: Option<PyGcArc<Object>>,
    }
    #[pymethods]
    impl Sharing {}

    Python::attach(|py| {
        let report = check_class(py, |sentinels| {
            let shared = PyGcArc::new(py, Mutex::new(Some(sentinels.object("shared")?)))?;
            let again = shared.clone_ref(py);
            let whole = Some(PyGcArc::new(py, sentinels.object("whole")?)?);
            Bound::new(py, Sharing { shared, again, whole })
        });
        assert_all_tried(report, 2);
    });
}

#[test]
fn an_arc_that_is_shared_hides_its_contents() {
    #[pyclass]
    struct Sharing {
        shared: Arc<Mutex<Option<Object>>>,
        again: Arc<Mutex<Option<Object>>>,
    }
    #[pymethods]
    impl Sharing {}

    Python::attach(|py| {
        let report = |check: ClassCheck| {
            check.run(py, |sentinels| {
                let shared = Arc::new(Mutex::new(Some(sentinels.object("shared")?)));
                Bound::new(py, Sharing { again: Arc::clone(&shared), shared })
            })
        };
        let not_visited = Fault::NotVisited { name: "shared".into(), owned: 1, visits: 0 };
        let kept = Fault::KeptAfterClear { name: "shared".into(), kept: 1, is_exception: false };
        assert_eq!(report(ClassCheck::new()).unwrap().faults, [not_visited, kept], "as documented");
        assert_all_tried(report(ClassCheck::new().hides("shared")), 1);
    });
}

#[test]
fn an_unsendable_class() {
    #[pyclass(unsendable)]
    struct Unsendable {
        cell: Rc<RefCell<Vec<Object>>>,
        key: PyGcOpaque<Object>,
    }
    #[pymethods]
    impl Unsendable {}

    Python::attach(|py| {
        let report = ClassCheck::new().hides("key").run(py, |sentinels| {
            let cell = Rc::new(RefCell::new(vec![sentinels.object("cell")?]));
            Bound::new(py, Unsendable { cell, key: sentinels.object("key")?.into() })
        });
        assert_all_tried(report, 2);
    });
}

#[pyclass(subclass)]
struct Base {
    base: Option<Object>,
}
#[pymethods]
impl Base {
    #[new]
    fn new(base: Object) -> Self {
        Self { base: Some(base) }
    }
}

#[pyclass(extends = Base, subclass, weakref)]
struct Child {
    child: Option<Object>,
}
#[pymethods]
impl Child {}

#[test]
fn a_class_that_extends_another() {
    Python::attach(|py| {
        let report = check_class(py, |sentinels| {
            let base = Base { base: Some(sentinels.object("base")?) };
            Bound::new(py, (Child { child: Some(sentinels.object("child")?) }, base))
        });
        assert_all_tried(report, 2);
    });
}

#[test]
fn a_python_class_that_extends_ours() {
    Python::attach(|py| {
        let report = check_class(py, |sentinels| {
            let globals = PyDict::new(py);
            globals.set_item("Base", py.get_type::<Base>())?;
            py.run(c"class Derived(Base): pass", Some(&globals), None)?;
            let class = globals.get_item("Derived")?.unwrap();
            let instance = class.call1((sentinels.object("base")?,))?;
            instance.setattr("attribute", sentinels.object("attribute")?)?;
            Ok(instance)
        });
        assert_all_tried(report, 2);
    });
}

#[test]
fn a_class_with_a_dict() {
    #[pyclass(dict)]
    struct Dict {
        field: Option<Object>,
    }
    #[pymethods]
    impl Dict {}

    Python::attach(|py| {
        let report = check_class(py, |sentinels| {
            let instance = Bound::new(py, Dict { field: Some(sentinels.object("field")?) })?;
            instance.setattr("attribute", sentinels.object("attribute")?)?;
            Ok(instance)
        });
        let instance = Bound::new(py, Dict { field: None }).unwrap();
        if support::visits(&instance, &instance.getattr("__dict__").unwrap()) == 1 {
            assert_all_tried(report, 2);
        } else {
            // PyO3 0.28 neither visits nor clears it (PyO3/pyo3#6206), as the README says.
            let not_visited = Fault::NotVisited { name: "attribute".into(), owned: 1, visits: 0 };
            let kept = Fault::KeptAfterClear { name: "attribute".into(), kept: 1, is_exception: false };
            assert_eq!(report.unwrap().faults, [not_visited, kept]);
        }
    });
}

/// Nothing goes before a collection, neither the instance nor what it is cleared of.
#[test]
fn an_instance_in_a_cycle_of_its_own() {
    #[pyclass]
    struct Cyclic {
        itself: Option<Object>,
        list: Option<Py<PyList>>,
    }
    #[pymethods]
    impl Cyclic {}

    Python::attach(|py| {
        let report = check_class(py, |sentinels| {
            let list = PyList::new(py, [sentinels.object("item")?])?;
            list.append(&list)?;
            let cyclic = Bound::new(py, Cyclic { itself: None, list: Some(list.unbind()) })?;
            cyclic.borrow_mut().itself = Some(cyclic.clone().into_any().unbind());
            Ok(cyclic)
        });
        assert_all_tried(report, 1);
    });
}

#[test]
fn a_class_without_references() {
    #[pyclass]
    struct Plain {
        _number: u32,
    }
    #[pymethods]
    impl Plain {}

    Python::attach(|py| {
        assert_all_tried(check_class(py, |_| Bound::new(py, Plain { _number: 1 })), 0);
    });
}
