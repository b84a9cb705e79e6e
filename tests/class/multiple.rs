//! With the feature `multiple-pymethods`, a class may have any number of blocks, and `#[pyclass]` writes the hooks.

#![cfg(feature = "all")]

use std::sync::Mutex;

use pyo3::prelude::*;
use pyo3::{PyTraverseError, PyVisit};
use pyo3_gc::{pyclass, pymethods};

use crate::support::{DropCounter, DropProbe, alone, collect, cycle_is_collected, object, visits};

/// No block at all.
#[pyclass]
struct NoBlock {
    #[pyo3(get, set)]
    own: Option<Py<PyAny>>,
    probe: DropProbe,
}

/// Several, one of PyO3's own.
#[pyclass]
struct Several {
    own: Vec<Py<PyAny>>,
}

#[pymethods]
impl Several {
    #[new]
    fn new() -> Self {
        Self { own: Vec::new() }
    }
}

#[pymethods]
impl Several {
    fn push(&mut self, object: Py<PyAny>) {
        self.own.push(object);
    }
}

#[pyo3::pymethods]
impl Several {
    fn __len__(&self) -> usize {
        self.own.len()
    }
}

macro_rules! block {
    ($name:ident, $method:ident, $answer:literal) => {
        #[pymethods]
        impl $name {
            fn $method(&self) -> i32 {
                $answer
            }
        }
    };
}
block!(Several, one, 1);
block!(Several, two, 2);

#[pyclass(frozen)]
struct Frozen {
    own: Mutex<Option<Py<PyAny>>>,
    probe: DropProbe,
}

#[pyclass]
enum Complex {
    Object(Py<PyAny>),
    Empty(),
}

#[pyclass(subclass)]
struct Base {
    own: Option<Py<PyAny>>,
}

#[pyclass(extends = Base)]
struct Child {
    own: Option<Py<PyAny>>,
}

/// A leaf, whose hooks do nothing.
#[pyclass]
struct Leaf {
    #[pyo3(get)]
    name: &'static str,
}

/// Hooks by hand need the class to be left alone.
#[pyclass(gc = false)]
struct ByHand {
    shown: Option<Py<PyAny>>,
    hidden: Option<Py<PyAny>>,
}

#[pymethods]
impl ByHand {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.shown)
    }

    fn __clear__(&mut self) {
        self.shown = None;
    }
}

#[pymethods]
impl ByHand {
    fn one(&self) -> usize {
        usize::from(self.hidden.is_some())
    }
}

/// Absent, with its blocks.
#[pyclass]
#[cfg(any())]
struct Absent {
    own: NoSuchType,
}

#[pymethods]
#[cfg(any())]
impl Absent {}

#[test]
fn without_a_block() {
    alone(|py| {
        let dropped = DropCounter::default();
        let holder = Bound::new(py, NoBlock { own: None, probe: dropped.probe() }).unwrap();
        holder.setattr("own", &holder).unwrap();
        assert_eq!(visits(&holder, &holder), 1);
        drop(holder);
        assert_eq!(dropped.count(), 0);
        collect(py);
        assert_eq!(dropped.count(), 1);

        let holder = Frozen { own: Mutex::default(), probe: dropped.probe() };
        let holder = Bound::new(py, holder).unwrap();
        *holder.get().own.lock().unwrap() = Some(holder.clone().into_any().unbind());
        drop(holder);
        collect(py);
        assert_eq!(dropped.count(), 2);

        let leaf = Bound::new(py, Leaf { name: "leaf" }).unwrap();
        assert!(leaf.getattr("name").unwrap().eq("leaf").unwrap());
        drop(leaf);
        collect(py);
    });
}

#[test]
fn enums_and_inheritance() {
    alone(|py| {
        let (class, target) = (py.get_type::<Complex>(), object(py));
        let holder = class.getattr("Object").unwrap().call1((&target,)).unwrap();
        cycle_is_collected(target, holder, 1);
        assert!(matches!(
            *Bound::new(py, Complex::Empty()).unwrap().cast::<Complex>().unwrap().borrow(),
            Complex::Empty()
        ));

        let target = object(py);
        let own = || Some(target.clone().unbind());
        let init = PyClassInitializer::from(Base { own: own() }).add_subclass(Child { own: own() });
        let holder = Bound::new(py, init).unwrap().into_any();
        cycle_is_collected(target, holder, 2);
    });
}

#[test]
fn several_blocks() {
    alone(|py| {
        let (holder, target) = (py.get_type::<Several>().call0().unwrap(), object(py));
        holder.call_method1("push", (&target,)).unwrap();
        assert_eq!(holder.len().unwrap(), 1);
        for (name, answer) in [("one", 1), ("two", 2)] {
            assert!(holder.call_method0(name).unwrap().eq(answer).unwrap());
        }
        cycle_is_collected(target, holder, 1);
    });
}

#[test]
fn left_alone() {
    alone(|py| {
        let target = object(py);
        let own = || Some(target.clone().unbind());
        let holder = Bound::new(py, ByHand { shown: own(), hidden: own() }).unwrap();
        assert!(holder.call_method0("one").unwrap().eq(1).unwrap());
        assert_eq!(visits(&holder, &target), 1, "as by hand");
        holder.borrow_mut().hidden = None;
        cycle_is_collected(target, holder.into_any(), 1);
    });
}
