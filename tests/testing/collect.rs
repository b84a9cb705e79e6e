//! The probes tell the truth, the collection goes on to the end, and the assertions can fail.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyList;
use pyo3_gc::testing::{DropCounter, DropProbe, assert_collected, assert_kept_alive, collect};
use pyo3_gc::{PyGcTraversable, pyclass, pymethods};

use crate::support;

/// Holds, and clears, or doesn't.
#[pyclass]
struct Holder {
    held: Option<Py<PyAny>>,
    #[pyo3_gc(clear = false)]
    kept: Option<Py<PyAny>>,
    probe: DropProbe,
}

#[pymethods]
impl Holder {}

impl Holder {
    fn new<'py>(py: Python<'py>, drops: &DropCounter) -> Bound<'py, Self> {
        Bound::new(py, Self { held: None, kept: None, probe: drops.probe() }).unwrap()
    }

    /// In a cycle with itself.
    fn cyclic<'py>(py: Python<'py>, drops: &DropCounter) -> Bound<'py, Self> {
        let holder = Self::new(py, drops);
        holder.borrow_mut().held = Some(holder.clone().into_any().unbind());
        holder
    }

    /// The same, but nothing can break it.
    fn leaking<'py>(py: Python<'py>, drops: &DropCounter) -> Bound<'py, Self> {
        let holder = Self::new(py, drops);
        holder.borrow_mut().kept = Some(holder.clone().into_any().unbind());
        holder
    }
}

/// Whether it panics, with this text.
#[track_caller]
fn panics(text: &str, attempt: impl FnOnce()) {
    let payload = catch_unwind(AssertUnwindSafe(attempt)).expect_err("it should panic");
    let message = payload.downcast_ref::<String>().map(String::as_str);
    let message = message.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap();
    assert!(message.contains(text), "{message}");
}

#[test]
fn probes_are_counted() {
    const { assert!(!DropProbe::MAY_CONTAIN_CYCLES) };
    Python::attach(|py| {
        let drops = DropCounter::new();
        let probe = drops.probe();
        let object = drops.clone().object(py).unwrap();
        assert_eq!((drops.made(), drops.dropped()), (2, 0));
        drop(probe);
        assert_eq!((drops.made(), drops.dropped()), (2, 1));
        assert!(object.call((1,), None).unwrap().is_none());
        assert!(object.getattr("peer").unwrap().is_none());
        let weak = support::weak(&object);
        assert!(support::is_alive(&weak));
        drop(object);
        assert!(!support::is_alive(&weak));
        assert_eq!((drops.made(), drops.dropped()), (2, 2));
    });
}

#[test]
fn the_peer_of_a_probe_is_visited_and_not_cleared() {
    Python::attach(|py| {
        assert_kept_alive(py, |drops| {
            let probe = drops.object(py)?;
            probe.setattr("peer", &probe)?;
            Ok(())
        })
        .unwrap();
        assert_collected(py, |drops| {
            let probe = drops.object(py)?;
            probe.setattr("peer", PyList::new(py, [&probe])?)?;
            Ok(())
        })
        .unwrap();
    });
}

#[test]
fn what_is_in_a_cycle_is_collected() {
    Python::attach(|py| assert_collected(py, |drops| Ok(Holder::cyclic(py, drops))).unwrap());
}

#[test]
fn what_leaks_fails_the_test() {
    Python::attach(|py| {
        panics("it leaks: 1 of 2 probes", || {
            assert_collected(py, |drops| {
                drop(drops.probe());
                Ok(Holder::leaking(py, drops))
            })
            .unwrap();
        });
        assert_kept_alive(py, |drops| {
            Holder::leaking(py, drops);
            Ok(())
        })
        .unwrap();
    });
}

#[test]
fn what_is_held_is_kept_alive() {
    Python::attach(|py| {
        assert_kept_alive(py, |drops| Ok(Holder::cyclic(py, drops))).unwrap();
        panics("a collection dropped 1 of 2 probes", || {
            assert_kept_alive(py, |drops| {
                Holder::cyclic(py, drops);
                Ok(Holder::new(py, drops))
            })
            .unwrap();
        });
    });
}

#[test]
fn tests_that_cannot_fail_do() {
    Python::attach(|py| {
        panics("no probe into what it built", || assert_collected(py, |_| Ok(())).unwrap());
        panics("isn't held by a cycle", || {
            assert_collected(py, |drops| Ok(Holder::new(py, drops))).unwrap();
        });
        panics("no probe is in what", || assert_kept_alive(py, |_| Ok(())).unwrap());
        panics("no probe is in what", || {
            assert_kept_alive(py, |drops| {
                drop(drops.probe());
                Ok(())
            })
            .unwrap();
        });
    });
}

#[test]
fn errors_of_the_test_come_out() {
    Python::attach(|py| {
        let wrong = |_: &DropCounter| Err::<(), _>(PyValueError::new_err("mine"));
        assert_eq!(assert_collected(py, wrong).unwrap_err().to_string(), "ValueError: mine");
        assert_eq!(assert_kept_alive(py, wrong).unwrap_err().to_string(), "ValueError: mine");
        // Neither this nor a panic keeps the turn from others.
        thread::scope(|scope| {
            py.detach(|| scope.spawn(|| Python::attach(collect)).join().unwrap().unwrap());
        });
    });
}

/// A destructor that makes another cycle, some times over.
#[test]
fn it_goes_on_until_nothing_more_goes() {
    #[pyclass]
    struct Chain {
        itself: Option<Py<PyAny>>,
        links: usize,
        drops: Option<DropCounter>,
        probe: DropProbe,
    }
    #[pymethods]
    impl Chain {}

    fn chain(py: Python<'_>, links: usize, drops: DropCounter) {
        let probe = drops.probe();
        let chain = Bound::new(py, Chain { itself: None, links, drops: Some(drops), probe }).unwrap();
        chain.borrow_mut().itself = Some(chain.clone().into_any().unbind());
    }

    impl Drop for Chain {
        fn drop(&mut self) {
            if let (Some(drops), 1..) = (self.drops.take(), self.links) {
                Python::attach(|py| chain(py, self.links - 1, drops));
            }
        }
    }

    Python::attach(|py| {
        let drops = DropCounter::new();
        chain(py, 4, drops.clone());
        collect(py).unwrap();
        assert_eq!((drops.made(), drops.dropped()), (5, 5));
    });
}

#[test]
fn what_a_detached_thread_has_dropped_goes_as_well() {
    Python::attach(|py| {
        let drops = DropCounter::new();
        let object = drops.object(py).unwrap().unbind();
        thread::spawn(move || drop(object)).join().unwrap();
        collect(py).unwrap();
        assert_eq!(drops.dropped(), 1);
    });
}
