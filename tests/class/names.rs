//! Hooks are known by what Python calls them: neither a helper in a plain `impl` nor a method that goes by another name
//! gets in their way.

use pyo3::prelude::*;
use pyo3::{PyTraverseError, PyVisit};
use pyo3_gc::{pyclass, pymethods};

use crate::support::{DropCounter, DropProbe, alone, collect, cycle_is_collected, object, visits};

/// Helpers that are called like hooks, in a block that PyO3 doesn't read, with signatures of their own.
#[pyclass]
struct Helpers {
    own: Option<Py<PyAny>>,
    calls: usize,
}

impl Helpers {
    fn __traverse__(&mut self) -> usize {
        self.calls += 1;
        self.calls
    }

    fn __clear__(&mut self, calls: usize) {
        self.calls = calls;
    }
}

#[pymethods]
impl Helpers {}

/// Hooks by hand that Rust knows by other names. They show less than the derive would.
#[pyclass]
struct Renamed {
    shown: Option<Py<PyAny>>,
    hidden: Option<Py<PyAny>>,
    probe: Option<DropProbe>,
}

#[pymethods]
impl Renamed {
    #[pyo3(name = "__traverse__")]
    fn show(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.shown)
    }

    /// What the derive wouldn't do: it keeps leaves.
    #[pyo3(name = "__clear__")]
    fn forget(&mut self) {
        self.shown = None;
        self.probe = None;
    }
}

macro_rules! renamed {
    ($name:ident, $($traverse:meta)?, $hook:literal) => {
        #[pyclass]
        struct $name {
            shown: Option<Py<PyAny>>,
            hidden: Option<Py<PyAny>>,
        }

        #[pymethods]
        impl $name {
            $(#[$traverse])?
            fn one(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
                visit.call(&self.shown)
            }

            #[pyo3(name = $hook)]
            fn two(&mut self) {
                self.shown = None;
            }
        }
    };
}
renamed!(Fragments, pyo3(name = "__traverse__"), "__clear__");

/// The reverse: what Rust calls a hook, and Python doesn't.
#[pyclass]
struct NoHooks {
    own: [Option<Py<PyAny>>; 2],
}

#[pymethods]
impl NoHooks {
    #[pyo3(name = "walk")]
    fn __traverse__(&self) -> usize {
        self.own.len()
    }

    #[pyo3(name = "forget")]
    fn __clear__(&mut self) {
        self.own = [None, None];
    }
}

/// As pydantic-core has it: one helper for several classes.
macro_rules! with_helper {
    ($($name:ident),*) => {$(
        #[pyclass(frozen)]
        struct $name {
            own: std::sync::Mutex<Option<Py<PyAny>>>,
            probe: DropProbe,
        }

        impl $name {
            fn __traverse__(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
                if let Ok(own) = self.own.try_lock() { visit.call(&*own) } else { Ok(()) }
            }
        }

        #[pymethods]
        impl $name {}
    )*};
}
with_helper!(First, Second);

#[test]
fn helpers_called_like_hooks() {
    alone(|py| {
        let target = object(py);
        let holder = Bound::new(py, Helpers { own: Some(target.clone().unbind()), calls: 0 }).unwrap();
        holder.borrow_mut().__clear__(4);
        assert_eq!(holder.borrow_mut().__traverse__(), 5);
        assert_eq!(visits(&holder, &target), 1, "as derived");
        assert_eq!(holder.borrow().calls, 5, "not called");
        cycle_is_collected(target, holder.into_any(), 1);

        let dropped = DropCounter::default();
        let first = Bound::new(py, First { own: None.into(), probe: dropped.probe() }).unwrap();
        let second = Second { own: Some(first.clone().into_any().unbind()).into(), probe: dropped.probe() };
        let second = Bound::new(py, second).unwrap();
        let helper: fn(&Second, &PyVisit<'_>) -> Result<(), PyTraverseError> = Second::__traverse__;
        let _ = (helper, First::__traverse__);
        *first.get().own.lock().unwrap() = Some(second.into_any().unbind());
        drop(first);
        collect(py);
        assert_eq!(dropped.dropped(), 2);
    });
}

#[test]
fn hooks_by_hand_under_other_names() {
    alone(|py| {
        let (target, dropped) = (object(py), DropCounter::default());
        let own = || Some(target.clone().unbind());
        let holder = Renamed { shown: own(), hidden: own(), probe: Some(dropped.probe()) };
        let holder = Bound::new(py, holder).unwrap();
        assert_eq!(visits(&holder, &target), 1, "as by hand");
        holder.borrow_mut().hidden = None;
        cycle_is_collected(target, holder.into_any(), 1);
        assert_eq!(dropped.dropped(), 1);

        let target = object(py);
        let own = || Some(target.clone().unbind());
        let holder = Bound::new(py, Fragments { shown: own(), hidden: own() }).unwrap();
        assert_eq!(visits(&holder, &target), 1, "as by hand");
        holder.borrow_mut().hidden = None;
        cycle_is_collected(target, holder.into_any(), 1);
    });
}

#[test]
fn methods_that_only_rust_calls_like_hooks() {
    alone(|py| {
        let target = object(py);
        let own = || Some(target.clone().unbind());
        let holder = Bound::new(py, NoHooks { own: [own(), own()] }).unwrap();
        assert!(holder.call_method0("walk").unwrap().eq(2).unwrap());
        assert_eq!(visits(&holder, &target), 2, "as derived");
        holder.call_method0("forget").unwrap();
        assert_eq!(visits(&holder, &target), 0);
        holder.borrow_mut().own = [own(), own()];
        cycle_is_collected(target, holder.into_any(), 2);
    });
}
