//! Hooks of a class that extends another, or has a `__dict__`: what belongs to the base, to the dict and to the class
//! itself is visited once, not once for each class in the line (PyO3/pyo3#4563, #6269, #6206).

use pyo3::prelude::*;
use pyo3::types::PyDict;
use pyo3_gc::PyGcTraversable;

mod support;
use support::{DropCounter, DropProbe, alone, collect, is_alive, object, visits, weak};

#[pyclass(subclass)]
#[derive(PyGcTraversable)]
struct Base {
    base: Option<Py<PyAny>>,
    base_probe: DropProbe,
}
support::hooks!(Base);

#[pyclass(extends = Base, subclass)]
#[derive(PyGcTraversable)]
struct Middle {
    // A leaf in the middle of the line.
    name: String,
}
support::hooks!(Middle);

#[pyclass(extends = Middle, dict, subclass, weakref)]
#[derive(PyGcTraversable)]
struct Child {
    child: Option<Py<PyAny>>,
    child_probe: DropProbe,
}
support::hooks!(Child {
    #[new]
    fn new(target: &Bound<'_, PyAny>) -> PyClassInitializer<Self> {
        init(target, &DropCounter::default())
    }
});

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
        assert!(visits(child.as_any(), &child.get_type()) <= 1);
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
        assert!(seen <= 1);
        if seen == 0 {
            return; // PyO3 0.28 shows the dict of a class with hooks to nobody.
        }
        collect(py);
        assert!(child.getattr("target").unwrap().is(&target));
        assert_eq!(dropped.count(), 0);
        drop(child);
        collect(py);
        assert_eq!(dropped.count(), 2);
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
        assert_eq!(dropped.count(), 0);
        drop(child);
        collect(py);
        assert_eq!(dropped.count(), 2);
    });
}

#[test]
fn a_python_subclass_is_collected() {
    alone(|py| {
        let target = object(py);
        let scope = PyDict::new(py);
        scope.set_item("Child", py.get_type::<Child>()).unwrap();
        scope.set_item("target", &target).unwrap();
        let code = c"
class Sub(Child):
    pass

sub = Sub(target)
target.sub = sub
";
        py.run(code, Some(&scope), None).unwrap();
        let sub = scope.get_item("sub").unwrap().unwrap();
        let (sub_alive, target_alive) = (weak(&sub), weak(&target));
        assert_eq!(visits(&sub, &target), 2);
        assert!(visits(&sub, &sub.get_type()) <= 1);
        drop((scope, target));
        collect(py);
        assert!(is_alive(&target_alive));
        drop(sub);
        collect(py);
        assert!(!is_alive(&sub_alive));
        assert!(!is_alive(&target_alive));
    });
}
