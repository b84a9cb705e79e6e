//! Hooks of a class that extends another, or has a `__dict__`: what belongs to the base, to the dict and to the class
//! itself is visited once, not once for each class in the line (PyO3/pyo3#4563, #6269, #6206).

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyType};
use pyo3::{PyTraverseError, PyTypeInfo, PyVisit};
use pyo3_gc::{pyclass, pymethods};

use crate::support::{DropCounter, DropProbe, alone, collect, instances, is_alive, object, visits, weak};

#[pyclass(subclass)]
struct Base {
    base: Option<Py<PyAny>>,
    base_probe: DropProbe,
}

#[pymethods]
impl Base {}

#[pyclass(extends = Base, subclass)]
struct Middle {
    // A leaf in the middle of the line.
    name: String,
}

#[pymethods]
impl Middle {}

#[pyclass(extends = Middle, dict, subclass, weakref)]
struct Child {
    child: Option<Py<PyAny>>,
    child_probe: DropProbe,
}

#[pymethods]
impl Child {
    #[new]
    fn new(target: &Bound<'_, PyAny>) -> PyClassInitializer<Self> {
        init(target, &DropCounter::default())
    }
}

/// Hooks by hand with nothing to visit: what is visited all the same is PyO3's doing. From 0.30 on, that is the class,
/// once.
#[pyo3::pyclass(dict, subclass)]
struct Nothing(Option<Py<PyAny>>);

#[pyo3::pymethods]
impl Nothing {
    #[new]
    fn new() -> Self {
        Self(None)
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.0)
    }
}

/// How often PyO3 visits the class, and the dict, of an instance of `class`, which is `Nothing` or extends it.
fn by_pyo3(class: &Bound<'_, PyType>) -> [usize; 2] {
    let nothing = class.call0().unwrap();
    [nothing.get_type().into_any(), nothing.getattr("__dict__").unwrap()].map(|part| visits(&nothing, &part))
}

/// A subclass in Python. Not by a `class` statement: its body is a function, which is immortal on a free-threaded 3.13,
/// with its globals.
fn subclass<T: PyTypeInfo>(py: Python<'_>) -> Bound<'_, PyType> {
    let arguments = ("Sub", (py.get_type::<T>(),), PyDict::new(py));
    py.get_type::<PyType>().call1(arguments).unwrap().cast_into().unwrap()
}

fn init(target: &Bound<'_, PyAny>, dropped: &DropCounter) -> PyClassInitializer<Child> {
    let own = || Some(target.clone().unbind());
    PyClassInitializer::from(Base { base: own(), base_probe: dropped.probe() })
        .add_subclass(Middle { name: String::from("name") })
        .add_subclass(Child { child: own(), child_probe: dropped.probe() })
}

fn child<'py>(target: &Bound<'py, PyAny>, dropped: &DropCounter) -> Bound<'py, Child> {
    Bound::new(target.py(), init(target, dropped)).unwrap()
}

#[test]
fn base_and_child_once_each() {
    alone(|py| {
        let target = object(py);
        let child = child(&target, &DropCounter::default());
        assert_eq!(visits(child.as_any(), &target), 2);
        let [class, _] = by_pyo3(&py.get_type::<Nothing>());
        assert_eq!(visits(child.as_any(), &child.get_type()), class);
        assert!(class <= 1);
        assert_eq!(child.as_super().borrow().name, "name");
    });
}

#[test]
fn a_cycle_through_the_dict_is_collected() {
    alone(|py| {
        let (target, dropped) = (object(py), DropCounter::default());
        let child = child(&target, &dropped);
        child.setattr("itself", &child).unwrap();
        child.setattr("target", &target).unwrap();
        let seen = visits(child.as_any(), &child.getattr("__dict__").unwrap());
        let [_, dict] = by_pyo3(&py.get_type::<Nothing>());
        assert_eq!(seen, dict);
        assert!(seen <= 1);
        if seen == 0 {
            return; // PyO3 0.28 shows the dict of a class with hooks to nobody.
        }
        collect(py);
        assert!(child.getattr("target").unwrap().is(&target));
        assert_eq!(dropped.dropped(), 0);
        drop(child);
        collect(py);
        assert_eq!(dropped.dropped(), 2);
    });
}

#[test]
fn a_cycle_through_base_and_child_is_collected() {
    alone(|py| {
        let (target, dropped) = (object(py), DropCounter::default());
        let child = child(&target, &dropped);
        child.as_super().as_super().borrow_mut().base = Some(child.clone().into_any().unbind());
        target.setattr("holder", &child).unwrap();
        drop(target);
        collect(py);
        assert_eq!(dropped.dropped(), 0);
        drop(child);
        collect(py);
        assert_eq!(dropped.dropped(), 2);
    });
}

#[test]
fn a_python_subclass_is_collected() {
    alone(|py| {
        let (target, class) = (object(py), subclass::<Child>(py));
        let sub = class.call1((&target,)).unwrap();
        target.setattr("sub", &sub).unwrap();
        assert_eq!(visits(&sub, &target), 2);
        let [once, _] = by_pyo3(&subclass::<Nothing>(py));
        assert_eq!(visits(&sub, &class), once);
        assert!(once <= 1);

        let target_alive = weak(&target);
        drop(target);
        collect(py);
        assert!(is_alive(&target_alive));
        drop(sub);
        collect(py);
        assert_eq!(instances(&class), 0);
        assert!(!is_alive(&target_alive));
    });
}
