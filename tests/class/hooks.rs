//! Blocks that define hooks by hand keep them, and get those that they leave out.

use pyo3::prelude::*;
use pyo3::{PyTraverseError, PyVisit};
use pyo3_gc::{PyGcTraversable, pyclass, pymethods};

use crate::support::{
    DropCounter, DropProbe, alone, collect, cycle_is_collected, instances, object, tp_clear, visits,
};

/// Shows one of its two references: the derive would show both.
#[pyclass]
struct TraversesByHand {
    shown: Option<Py<PyAny>>,
    hidden: Option<Py<PyAny>>,
}

#[pymethods]
impl TraversesByHand {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.shown)
    }
}

/// Keeps one of its two references: the derive would clear both.
#[pyclass]
struct ClearsByHand {
    #[pyo3(set)]
    cleared: Option<Py<PyAny>>,
    #[pyo3(set)]
    kept: Option<Py<PyAny>>,
    probe: DropProbe,
}

#[pymethods]
impl ClearsByHand {
    fn __clear__(&mut self) {
        self.cleared = None;
    }
}

#[pyclass]
struct BothByHand {
    shown: Option<Py<PyAny>>,
    hidden: Option<Py<PyAny>>,
    // Dropped by hand alone: the derive keeps leaves.
    probe: Option<DropProbe>,
}

#[pymethods]
impl BothByHand {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.shown)
    }

    fn __clear__(&mut self) {
        self.shown = None;
        self.probe = None;
    }
}

/// By hand under a condition that doesn't hold, and one that does.
#[pyclass]
struct Conditional {
    own: [Option<Py<PyAny>>; 2],
    probe: Option<DropProbe>,
}

#[pymethods]
impl Conditional {
    #[cfg(any())]
    fn __traverse__(&self, _visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        Ok(())
    }

    #[cfg(test)]
    #[cfg(not(any()))]
    fn __clear__(&mut self) {
        self.own = [None, None];
        self.probe = None;
    }
}

/// The reverse.
#[pyclass]
struct Reverse {
    own: [Option<Py<PyAny>>; 2],
    probe: Option<DropProbe>,
}

#[pymethods]
impl Reverse {
    #[cfg(test)]
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.own[0])
    }

    #[cfg(test)]
    #[cfg(any())]
    fn __clear__(&mut self) {
        self.probe = None;
    }

    #[cfg(any())]
    fn __clear__(&self) {}
}

/// Knows nothing of garbage collection.
#[derive(Clone, Default, IntoPyObject, IntoPyObjectRef)]
struct Handle(u64);

/// A class made by PyO3, with the derive.
#[pyo3::pyclass]
#[derive(PyGcTraversable)]
struct PyO3s {
    own: Vec<Py<PyAny>>,
    #[pyo3_gc(skip)]
    handle: Handle,
}

#[pymethods]
impl PyO3s {}

/// The same, frozen.
#[pyo3::pyclass(frozen)]
#[derive(PyGcTraversable)]
struct FrozenPyO3s {
    own: std::sync::Mutex<Vec<Py<PyAny>>>,
    probe: DropProbe,
}

#[pymethods]
impl FrozenPyO3s {}

/// The derive by hand, under our `#[pyclass]`.
#[pyclass]
#[derive(Default, PyGcTraversable)]
struct Derives {
    own: Option<Py<PyAny>>,
    #[pyo3(get, gc = false)]
    handle: Handle,
}

#[pymethods]
impl Derives {}

#[test]
fn traverse_by_hand_and_our_clear() {
    alone(|py| {
        let target = object(py);
        let own = || Some(target.clone().unbind());
        let holder = Bound::new(py, TraversesByHand { shown: own(), hidden: own() }).unwrap();
        assert_eq!(visits(&holder, &target), 1, "as by hand");

        // A cycle through nothing but the class, so that only its clear can end it.
        holder.borrow_mut().hidden = None;
        holder.borrow_mut().shown = Some(holder.clone().into_any().unbind());
        let class = holder.get_type();
        assert_eq!(instances(&class), 1);
        drop(holder);
        collect(py);
        assert_eq!(instances(&class), 0);
    });
}

#[test]
fn our_traverse_and_clear_by_hand() {
    alone(|py| {
        let target = object(py);
        let own = || Some(target.clone().unbind());
        let dropped = DropCounter::default();
        let holder =
            |cleared, kept| Bound::new(py, ClearsByHand { cleared, kept, probe: dropped.probe() }).unwrap();
        assert_eq!(visits(&holder(own(), own()), &target), 2, "as derived");
        assert_eq!(dropped.dropped(), 1);

        // A cycle through `cleared` can be ended by hand, one through `kept` can't, and leaks.
        for (field, collected) in [("cleared", 2), ("kept", 2)] {
            let holder = holder(None, None);
            holder.setattr(field, &holder).unwrap();
            drop(holder);
            collect(py);
            assert_eq!(dropped.dropped(), collected, "{field}");
        }
    });
}

#[test]
fn both_by_hand() {
    alone(|py| {
        let (target, dropped) = (object(py), DropCounter::default());
        let own = || Some(target.clone().unbind());
        let holder = BothByHand { shown: own(), hidden: own(), probe: Some(dropped.probe()) };
        let holder = Bound::new(py, holder).unwrap();
        assert_eq!(visits(&holder, &target), 1);
        holder.borrow_mut().hidden = None;
        cycle_is_collected(target, holder.into_any(), 1);
        assert_eq!(dropped.dropped(), 1);
    });
}

#[test]
fn conditional() {
    alone(|py| {
        let (target, dropped) = (object(py), DropCounter::default());
        let own = || Some(target.clone().unbind());
        let holder = Conditional { own: [own(), own()], probe: Some(dropped.probe()) };
        let holder = Bound::new(py, holder).unwrap();
        assert_eq!(visits(&holder, &target), 2, "as derived");
        tp_clear(&holder);
        assert_eq!((visits(&holder, &target), dropped.dropped()), (0, 1), "as by hand");

        let dropped = DropCounter::default();
        let holder = Reverse { own: [own(), own()], probe: Some(dropped.probe()) };
        let holder = Bound::new(py, holder).unwrap();
        assert_eq!(visits(&holder, &target), 1, "as by hand");
        tp_clear(&holder);
        assert_eq!((visits(&holder, &target), dropped.dropped()), (0, 0), "as derived");
        assert!(holder.borrow().own.iter().all(Option::is_none));
    });
}

#[test]
fn classes_of_pyo3() {
    alone(|py| {
        let target = object(py);
        let own = || target.clone().unbind();
        let holder = PyO3s { own: vec![own(), own()], handle: Handle(1) };
        assert_eq!(holder.handle.0, 1);
        cycle_is_collected(target, Bound::new(py, holder).unwrap().into_any(), 2);

        let dropped = DropCounter::default();
        let holder = FrozenPyO3s { own: Vec::new().into(), probe: dropped.probe() };
        let holder = Bound::new(py, holder).unwrap();
        holder.get().own.lock().unwrap().push(holder.clone().into_any().unbind());
        drop(holder);
        assert_eq!(dropped.dropped(), 0);
        collect(py);
        assert_eq!(dropped.dropped(), 1);
    });
}

#[test]
fn derived_by_hand() {
    alone(|py| {
        let target = object(py);
        let holder = Derives { own: Some(target.clone().unbind()), ..Derives::default() };
        let holder = Bound::new(py, holder).unwrap();
        assert_eq!(holder.getattr("handle").unwrap().extract::<u64>().unwrap(), holder.borrow().handle.0);
        cycle_is_collected(target, holder.into_any(), 1);
    });
}
