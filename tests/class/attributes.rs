//! `#[cfg]`, `#[cfg_attr]` and `#[pyo3(…)]`, in all the places where PyO3 allows them, with our keys among PyO3's.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use pyo3::{PyTraverseError, PyVisit};
use pyo3_gc::{PyGcTraversable, pyclass, pymethods};

use crate::support::{alone, collect, cycle_is_collected, is_alive, object, visits, weak};

/// Knows nothing of garbage collection.
#[derive(Clone, Default, PartialEq, FromPyObject, IntoPyObject, IntoPyObjectRef)]
struct Handle(u64);

#[pyclass]
#[derive(Default)]
struct Keys {
    #[pyo3(get, set, gc = false)]
    last: Handle,
    #[pyo3(gc = false, get, name = "renamed")]
    first: Handle,
    #[pyo3(get, gc = false, set)]
    middle: Handle,
    #[pyo3(get)]
    #[pyo3(gc = false)]
    apart: Handle,
    #[pyo3_gc(skip)]
    #[pyo3(get)]
    skipped: Handle,
    #[pyo3(get, set, gc = true)]
    own: Option<Py<PyAny>>,
    #[pyo3_gc(clear = false)]
    kept: Vec<Py<PyAny>>,
}

#[pymethods]
impl Keys {}

#[pyclass]
#[cfg_attr(test, derive(Default), pyo3(name = "Configured", weakref), doc = "Documented.")]
#[cfg_attr(any(), pyo3(frozen))]
struct Conditional {
    #[cfg(test)]
    #[pyo3(get, set)]
    own: Option<Py<PyAny>>,
    #[cfg(any())]
    #[pyo3(get, gc = false)]
    absent: NoSuchType,
    #[cfg_attr(test, pyo3(gc = false))]
    #[pyo3(get)]
    handle: Handle,
    #[pyo3(get, name = "deep")]
    #[cfg_attr(test, cfg_attr(not(any()), doc = "Deep.", pyo3(gc = false)))]
    nested: Handle,
    #[pyo3(get, set)]
    #[cfg_attr(any(), pyo3(gc = false))]
    list: Vec<Py<PyAny>>,
    #[cfg(not(any()))]
    #[cfg_attr(any(), pyo3(gc = false))]
    #[cfg_attr(test, pyo3_gc(skip))]
    last: Handle,
}

#[pymethods]
impl Conditional {
    #[cfg(any())]
    fn absent(&self) -> NoSuchType {}

    #[cfg(test)]
    fn present(&self) -> u64 {
        self.nested.0 + self.last.0
    }
}

/// Absent, with all that our macros emit beside it.
#[pyclass]
#[cfg(any())]
struct Absent {
    own: NoSuchType,
}

#[pymethods]
#[cfg(any())]
impl Absent {}

/// One of two definitions.
#[pyclass]
#[cfg(test)]
struct OneOfTwo {
    own: Option<Py<PyAny>>,
}

#[pyclass]
#[cfg(not(test))]
struct OneOfTwo {
    own: NoSuchType,
}

#[pymethods]
#[cfg(test)]
impl OneOfTwo {}

/// Conditional as a whole.
#[cfg_attr(test, pyclass(weakref))]
struct ClassIf {
    #[pyo3(get)]
    #[cfg_attr(test, pyo3(gc = false))]
    handle: Handle,
    #[pyo3(get, set)]
    own: Option<Py<PyAny>>,
}

#[cfg_attr(test, pymethods)]
impl ClassIf {}

#[pyclass]
#[pyo3(rename_all = "UPPERCASE")]
enum Variants {
    #[cfg(test)]
    #[pyo3(constructor = (object, handle = Handle(3)))]
    Present {
        object: Py<PyAny>,
        #[cfg_attr(test, pyo3(gc = false))]
        handle: Handle,
    },
    Other(#[pyo3(gc = false)] Handle, Option<Py<PyAny>>),
}

#[pymethods]
impl Variants {
    fn number(&self) -> u64 {
        match self {
            Self::Present { handle, .. } | Self::Other(handle, _) => handle.0,
        }
    }
}

/// Left alone, with hooks of its own that show less than it owns: the derive isn't there to show the rest.
#[pyclass(gc = false, dict)]
struct LeftAlone {
    shown: Option<Py<PyAny>>,
    hidden: Handle,
    unseen: Option<Py<PyAny>>,
}

#[pymethods]
impl LeftAlone {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.shown)
    }

    fn __clear__(&mut self) {
        self.shown = None;
    }
}

/// Left alone, without any.
#[pyclass(frozen, gc = false, weakref)]
struct Leaky {
    unseen: std::sync::Mutex<Option<Py<PyAny>>>,
}

#[pymethods(gc = false)]
impl Leaky {}

fn run(py: Python<'_>, name: &str, object: &Bound<'_, PyAny>, code: &std::ffi::CStr) {
    let scope = PyDict::new(py);
    scope.set_item(name, object).unwrap();
    py.run(code, Some(&scope), None).unwrap();
    scope.clear();
}

#[test]
fn mixed_keys() {
    alone(|py| {
        let target = object(py);
        let own = || target.clone().unbind();
        let keys = Keys { own: Some(own()), kept: vec![own(), own()], ..Keys::default() };
        let keys = Bound::new(py, keys).unwrap();
        let code = c"
keys.last = keys.middle = 5
assert (keys.last, keys.renamed, keys.middle, keys.apart, keys.skipped) == (5, 0, 5, 0, 0)
for name in ('first', 'kept'):
    assert not hasattr(keys, name)
";
        run(py, "keys", &keys, code);
        assert!(keys.borrow().first == keys.borrow().apart && keys.borrow().skipped == Handle(0));
        assert_eq!(visits(&keys, &target), 3);
        keys.borrow_mut().clear();
        assert_eq!(visits(&keys, &target), 2, "what is kept is still visited");
        // Its cycle ends at the target, whose dict is cleared.
        cycle_is_collected(target, keys.into_any(), 2);
    });
}

#[test]
fn conditional_attributes() {
    alone(|py| {
        let target = object(py);
        let own = || target.clone().unbind();
        let holder =
            Conditional { own: Some(own()), list: vec![own()], nested: Handle(7), ..Conditional::default() };
        assert!(holder.handle == holder.last);
        let holder = Bound::new(py, holder).unwrap();
        let code = c"
assert type(c).__name__ == 'Configured' and type(c).__doc__ == 'Documented.'
assert c.handle == 0 and c.deep == 7 and c.present() == 7 and len(c.list) == 1
assert not hasattr(c, 'absent')
c.list = [c.own, None]
";
        run(py, "c", &holder, code);
        cycle_is_collected(target, holder.into_any(), 2);
    });
}

#[test]
fn conditional_items() {
    alone(|py| {
        let target = object(py);
        let holder = OneOfTwo { own: Some(target.clone().unbind()) };
        cycle_is_collected(target, Bound::new(py, holder).unwrap().into_any(), 1);

        let target = object(py);
        let holder = ClassIf { own: Some(target.clone().unbind()), handle: Handle(1) };
        let holder = Bound::new(py, holder).unwrap();
        run(py, "c", &holder, c"assert c.handle == 1 and c.own.__class__.__name__ == 'Object'");
        cycle_is_collected(target, holder.into_any(), 1);
    });
}

#[test]
fn variants() {
    alone(|py| {
        let (class, target) = (py.get_type::<Variants>(), object(py));
        let holder = class.getattr("PRESENT").unwrap().call1((&target,)).unwrap();
        run(py, "v", &holder, c"assert v.number() == 3");
        cycle_is_collected(target, holder, 1);

        let target = object(py);
        let holder = class.getattr("OTHER").unwrap().call1((4, &target)).unwrap();
        run(py, "v", &holder, c"assert v.number() == 4");
        cycle_is_collected(target, holder, 1);
    });
}

#[test]
fn left_alone() {
    alone(|py| {
        let target = object(py);
        let own = || Some(target.clone().unbind());
        let holder = LeftAlone { shown: own(), hidden: Handle(2), unseen: own() };
        assert!(holder.hidden == Handle(2));
        let holder = Bound::new(py, holder).unwrap();
        assert_eq!(visits(&holder, &target), 1);
        holder.borrow_mut().unseen = None;
        cycle_is_collected(target, holder.into_any(), 1);

        // Nothing shows what this one holds, as in PyO3 without hooks.
        let leaky = Bound::new(py, Leaky { unseen: None.into() }).unwrap();
        *leaky.get().unseen.lock().unwrap() = Some(leaky.clone().into_any().unbind());
        assert_eq!(visits(&leaky, &leaky), 0);
        let alive = weak(&leaky);
        drop(leaky);
        collect(py);
        assert!(is_alive(&alive));
        let leaky = pyo3::types::PyWeakrefMethods::upgrade(&alive).unwrap().cast_into::<Leaky>().unwrap();
        let itself = leaky.get().unseen.lock().unwrap().take();
        drop((itself, leaky));
        assert!(!is_alive(&alive));
    });
}
