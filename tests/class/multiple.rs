//! With PyO3's feature `multiple-pymethods`, a class may have any number of blocks. One of them has the hooks.

#![cfg(feature = "all")]

use std::sync::Mutex;

use pyo3::prelude::*;
use pyo3::{PyTraverseError, PyVisit};
use pyo3_gc::{Graveyard, PyGcTraversable, pyclass, pymethods};

use crate::support::{DropCounter, DropProbe, alone, collect, cycle_is_collected, object, visits};

/// The first block has the hooks, an empty one in the middle nothing at all, and the last is PyO3's own.
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

#[pymethods(gc = false)]
impl Several {}

#[pymethods(gc = false)]
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
    ($name:ident, $method:ident, $answer:literal, $($argument:meta),*) => {
        #[pymethods($($argument),*)]
        impl $name {
            fn $method(&self) -> i32 {
                $answer
            }
        }
    };
}
block!(Several, one, 1, gc = false);
block!(Several, two, 2, gc = false);

/// The last block has the hooks.
#[pyclass(frozen)]
struct Frozen {
    own: Mutex<Option<Py<PyAny>>>,
    probe: DropProbe,
}
block!(Frozen, one, 1, gc = false);
block!(Frozen, two, 2,);

#[pyclass]
enum Complex {
    Object(Py<PyAny>),
    Empty(),
}
block!(Complex, one, 1, gc = false);
block!(Complex, two, 2,);

#[pyclass(subclass)]
struct Base {
    own: Option<Py<PyAny>>,
}
block!(Base, one, 1,);
block!(Base, two, 2, gc = false);

#[pyclass(extends = Base)]
struct Child {
    own: Option<Py<PyAny>>,
}
block!(Child, three, 3, gc = false);
block!(Child, four, 4,);

/// A leaf without any hooks.
#[pyclass]
struct Leaf {
    number: i32,
}
block!(Leaf, one, 1, gc = false);

#[pymethods(gc = false)]
impl Leaf {
    fn number(&self) -> i32 {
        self.number
    }
}

/// Hooks by hand, in a block that doesn't get the rest.
#[pyclass]
struct ByHand {
    shown: Option<Py<PyAny>>,
    hidden: Option<Py<PyAny>>,
}
block!(ByHand, one, 1, gc = false);

#[pymethods(gc = false)]
impl ByHand {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.shown)
    }
}

/// A class that is left alone with a trait implementation by hand, for which one block makes hooks.
#[pyclass(gc = false)]
struct TraitByHand {
    own: Option<Py<PyAny>>,
    _probe: DropProbe,
}
block!(TraitByHand, one, 1, gc = false);
block!(TraitByHand, two, 2,);

// SAFETY: 1 to 4: the reference is visited once, and an error passed on. 5: true. 6: an empty holder is a holder.
unsafe impl PyGcTraversable for TraitByHand {
    const MAY_CONTAIN_CYCLES: bool = true;

    fn traverse(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.own)
    }

    fn clear(&mut self) {
        self.own = None;
    }

    fn clear_into<'g>(&mut self, graveyard: &mut Graveyard<'g>)
    where
        Self: 'g,
    {
        self.own.clear_into(graveyard);
    }
}

#[test]
fn several_blocks() {
    alone(|py| {
        let (holder, target) = (py.get_type::<Several>().call0().unwrap(), object(py));
        holder.call_method1("push", (&target,)).unwrap();
        assert_eq!(holder.len().unwrap(), 1);
        answers(&holder);
        cycle_is_collected(target, holder, 1);
    });
}

fn answers(holder: &Bound<'_, PyAny>) {
    for (name, answer) in [("one", 1), ("two", 2)] {
        assert!(holder.call_method0(name).unwrap().eq(answer).unwrap(), "{name}");
    }
}

#[test]
fn the_last_has_the_hooks() {
    alone(|py| {
        let dropped = DropCounter::default();
        let holder = Frozen { own: Mutex::default(), probe: dropped.probe() };
        let holder = Bound::new(py, holder).unwrap();
        answers(&holder);
        *holder.get().own.lock().unwrap() = Some(holder.clone().into_any().unbind());
        assert_eq!(visits(&holder, &holder), 1);
        drop(holder);
        assert_eq!(dropped.dropped(), 0);
        collect(py);
        assert_eq!(dropped.dropped(), 1);
    });
}

#[test]
fn enums_and_inheritance() {
    alone(|py| {
        let (class, target) = (py.get_type::<Complex>(), object(py));
        let holder = class.getattr("Object").unwrap().call1((&target,)).unwrap();
        answers(&holder);
        cycle_is_collected(target, holder, 1);
        assert!(matches!(*Bound::new(py, Complex::Empty()).unwrap().borrow(), Complex::Empty()));

        let target = object(py);
        let own = || Some(target.clone().unbind());
        let init = PyClassInitializer::from(Base { own: own() }).add_subclass(Child { own: own() });
        let holder = Bound::new(py, init).unwrap().into_any();
        answers(&holder);
        assert!(holder.call_method0("three").unwrap().eq(3).unwrap());
        assert!(holder.call_method0("four").unwrap().eq(4).unwrap());
        cycle_is_collected(target, holder, 2);
    });
}

#[test]
fn no_block_has_hooks() {
    alone(|py| {
        let leaf = Bound::new(py, Leaf { number: 7 }).unwrap();
        assert!(leaf.call_method0("one").unwrap().eq(1).unwrap());
        assert!(leaf.call_method0("number").unwrap().eq(7).unwrap());
    });
}

#[test]
fn hooks_by_hand() {
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

#[test]
fn a_trait_by_hand() {
    alone(|py| {
        let dropped = DropCounter::default();
        let holder = Bound::new(py, TraitByHand { own: None, _probe: dropped.probe() }).unwrap();
        answers(&holder);
        holder.borrow_mut().own = Some(holder.clone().into_any().unbind());
        drop(holder);
        assert_eq!(dropped.dropped(), 0);
        collect(py);
        assert_eq!(dropped.dropped(), 1);
    });
}
