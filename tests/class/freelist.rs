//! Instances that are reused after they were dropped.

use pyo3::prelude::*;
use pyo3_gc::{PyGcTraversable, pyclass, pymethods};

use crate::support::{
    self, DropCounter, DropProbe, alone, collect, cycle_is_collected, is_alive, object, visits, weak,
};

/// Two at most are kept for reuse.
#[pyclass(freelist = 3)]
struct Reused {
    own: Option<Py<PyAny>>,
    probe: DropProbe,
}

#[pymethods]
impl Reused {}

/// The same by PyO3's macros and by hand.
#[pyo3::pyclass(freelist = 3)]
#[derive(PyGcTraversable)]
struct ReusedByHand {
    own: Option<Py<PyAny>>,
    probe: DropProbe,
}
support::hooks!(ReusedByHand);

/// Instances that come out of a free list are never tracked again, in all versions of PyO3 so far (PyO3/pyo3#6442), so
/// that a cycle through one of them leaks, whoever wrote the hooks. What they hold is dropped, though.
#[test]
fn reused() {
    alone(|py| {
        let is_tracked = py.import("gc").unwrap().getattr("is_tracked").unwrap();
        let is_tracked =
            |object: &Bound<'_, PyAny>| is_tracked.call1((object,)).unwrap().is_truthy().unwrap();
        let dropped = DropCounter::default();
        let fresh = || Bound::new(py, Reused { own: None, probe: dropped.probe() }).unwrap();
        let (first, by_hand) = (fresh(), ReusedByHand { own: None, probe: dropped.probe() });
        let by_hand = Bound::new(py, by_hand).unwrap();
        assert!(is_tracked(&first) && is_tracked(&by_hand));
        let (first_address, by_hand_address) = (first.as_ptr(), by_hand.as_ptr());
        first.borrow_mut().own = Some(first.clone().into_any().unbind());
        drop((first, by_hand));
        collect(py);
        assert_eq!(dropped.dropped(), 2, "a fresh one is collected");

        let again = fresh();
        let by_hand = Bound::new(py, ReusedByHand { own: None, probe: dropped.probe() }).unwrap();
        assert_eq!((again.as_ptr(), by_hand.as_ptr()), (first_address, by_hand_address), "reused");
        assert_eq!(is_tracked(&again), is_tracked(&by_hand), "as by hand");

        let target = object(py);
        again.borrow_mut().own = Some(target.clone().unbind());
        by_hand.borrow_mut().own = Some(target.clone().unbind());
        assert_eq!((visits(&again, &target), visits(&by_hand, &target)), (1, 1));
        if is_tracked(&again) {
            drop(by_hand);
            cycle_is_collected(target, again.into_any(), 1);
        } else {
            let alive = weak(&target);
            target.setattr("holder", &again).unwrap();
            drop((again, by_hand, target));
            collect(py);
            assert!(is_alive(&alive), "PyO3's fault, and no more than a leak");
        }

        // Once again fresh, as the list is empty.
        let next = fresh();
        assert!(is_tracked(&next));
        let before = dropped.dropped();
        next.borrow_mut().own = Some(next.clone().into_any().unbind());
        drop(next);
        collect(py);
        assert_eq!(dropped.dropped(), before + 1);
    });
}
