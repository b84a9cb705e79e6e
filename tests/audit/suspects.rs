//! The audit finds what holds references without visiting them, in the types that it is asked about.

use std::collections::{BTreeMap, HashMap, LinkedList};
use std::sync::{Arc, Mutex};

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3_gc::PyGcOpaque;
use pyo3_gc::audit::{Audit, Evidence, Holder, Kind, Report};

use crate::support::process::alone_in_a_process as alone;
use crate::support::{self, object};

/// Shows nothing of what it holds: PyO3's own class, without hooks.
#[pyo3::pyclass(module = "suspects", get_all)]
#[derive(Default)]
struct Forgetful {
    #[pyo3(set)]
    field: Option<Py<PyAny>>,
    list: Vec<Py<PyAny>>,
    map: HashMap<usize, Py<PyAny>>,
}

/// As [`Forgetful`], for the test that leaves an instance behind.
#[pyo3::pyclass(module = "suspects")]
struct Leaking(Option<Py<PyAny>>);

/// What isn't a Python value by itself.
#[expect(dead_code, reason = "only the audit looks")]
#[expect(clippy::linkedlist, clippy::type_complexity, reason = "to be looked through")]
#[pyo3::pyclass(module = "suspects")]
#[derive(Default)]
struct Deep {
    boxed: Option<Box<(u64, Py<PyAny>)>>,
    shared: Option<Arc<Mutex<Vec<Option<Py<PyAny>>>>>>,
    tree: BTreeMap<u32, Py<PyAny>>,
    chain: LinkedList<Py<PyAny>>,
    table: HashMap<String, [Option<Py<PyAny>>; 3]>,
}

/// An instance that another one hides.
#[pyo3::pyclass(module = "suspects")]
struct Inner(#[expect(dead_code, reason = "only the audit looks")] Py<PyAny>);

#[pyo3_gc::pyclass(module = "suspects")]
#[derive(Default)]
struct Wired {
    shown: Vec<Py<PyAny>>,
    hidden: PyGcOpaque<Option<Py<PyAny>>>,
}

#[pyo3_gc::pymethods]
impl Wired {}

fn report(py: Python<'_>) -> Report {
    let report = Audit::new().suspects("suspects").run(py).unwrap();
    assert_eq!((report.total(Kind::OverVisited), report.total(Kind::Unsteady)), (0, 0), "{report}");
    report
}

/// The holder of this name, and what it holds.
fn holder<'r>(report: &'r Report, name: &str) -> Option<(&'r Holder, Vec<(&'r str, usize)>)> {
    let holder = report.holders().find(|holder| holder.type_name == name)?;
    let held = holder.held.iter().map(|held| (&*held.type_name, held.references)).collect();
    Some((holder, held))
}

/// Makes a holder known to the collector's objects; it isn't tracked by itself under PyO3 0.28 and 0.29.
fn keep<'py>(holder: &Bound<'py, PyAny>) -> Bound<'py, PyAny> {
    let keeper = object(holder.py());
    keeper.setattr("kept", holder).unwrap();
    keeper
}

/// A fresh object that only what it is given to holds.
fn value(py: Python<'_>) -> Py<PyAny> {
    object(py).unbind()
}

#[test]
fn a_field_a_vector_and_a_map() {
    alone(|py| {
        let forgetful = Forgetful {
            field: Some(value(py)),
            list: vec![value(py), value(py)],
            map: (0..50).map(|key| (key, value(py))).collect(),
        };
        let kept = keep(&Bound::new(py, forgetful).unwrap().into_any());
        let report = report(py);
        let (holder, held) = holder(&report, "suspects.Forgetful").unwrap();
        assert_eq!(held, [("__main__.Object", 53)], "{report}");
        assert_eq!((holder.objects, holder.evidence), (1, Evidence::Memory));
        drop(kept);
    });
}

#[test]
fn what_lies_deeper() {
    alone(|py| {
        let item = value(py);
        let deep = Deep {
            boxed: Some(Box::new((7, value(py)))),
            shared: Some(Arc::new(Mutex::new(vec![None, Some(value(py)), None]))),
            tree: (0..100).map(|key| (key, value(py))).collect(),
            chain: (0..10).map(|_| value(py)).collect(),
            table: (0..20)
                .map(|key| (key.to_string(), [None, Some(value(py)), Some(item.clone_ref(py))]))
                .collect(),
        };
        drop(item);
        let kept = keep(&Bound::new(py, deep).unwrap().into_any());
        let report = report(py);
        let (_, held) = holder(&report, "suspects.Deep").unwrap();
        // What was freed near by can lead to a few more, of other types.
        assert_eq!(held[0], ("__main__.Object", 1 + 1 + 100 + 10 + 40), "{report}");
        drop(kept);
    });
}

/// Nothing shows the inner instances: only the memory of the outer one leads there.
#[test]
fn instances_that_an_instance_hides() {
    alone(|py| {
        let inner = || {
            let inner = Py::new(py, Inner(value(py))).unwrap().into_any();
            // SAFETY: the instance is alive, and nobody asks it later on.
            if unsafe { ffi::PyObject_GC_IsTracked(inner.as_ptr()) } != 0 {
                // SAFETY: as above, and the collector knows it.
                unsafe { ffi::PyObject_GC_UnTrack(inner.as_ptr().cast()) };
            }
            inner
        };
        let forgetful = Forgetful {
            field: Some(inner()),
            list: (0..20).map(|_| inner()).collect(),
            ..Forgetful::default()
        };
        let kept = keep(&Bound::new(py, forgetful).unwrap().into_any());
        let report = report(py);
        let (holder, held) = holder(&report, "suspects.Inner").unwrap_or_else(|| panic!("{report}"));
        assert_eq!((holder.objects, held), (21, vec![("__main__.Object", 21)]), "{report}");
        drop(kept);
    });
}

#[test]
fn a_cycle_that_leaks() {
    alone(|py| {
        let leak = Bound::new(py, Leaking(None)).unwrap();
        let keeper = keep(leak.as_any());
        leak.borrow_mut().0 = Some(keeper.unbind());
        drop(leak);
        support::collect(py);
        let report = report(py);
        let text = report.to_string();
        let (_, held) = holder(&report, "suspects.Leaking").unwrap();
        assert_eq!(held, [("__main__.Object", 1)], "{text}");
        assert!(text.contains(": holds 1 reference to __main__.Object\n"), "{text}");
    });
}

#[test]
fn what_is_visited_is_explained_and_what_is_opaque_is_not() {
    alone(|py| {
        let wired = Wired { shown: vec![value(py), value(py)], ..Wired::default() };
        let wired = Bound::new(py, wired).unwrap();
        assert!(holder(&report(py), "suspects.Wired").is_none());
        wired.borrow_mut().hidden = PyGcOpaque::new(Some(value(py)));
        let report = report(py);
        let (holder, held) = holder(&report, "suspects.Wired").unwrap();
        assert!(holder.tracked);
        assert_eq!(held, [("__main__.Object", 1)], "{report}");

        let allow =
            |audit: Audit<'static>| audit.suspects("suspects.Wired").allow("suspects.Wired", "on purpose");
        let report = allow(Audit::new()).run(py).unwrap();
        assert_eq!(report.total(Kind::Holder), 0, "{report}");
        assert!(report.allowed[0].findings > 0, "{report}");
    });
}

#[test]
fn instances_with_references_from_nowhere() {
    alone(|py| {
        let wired = Bound::new(py, Wired::default()).unwrap();
        let more = [wired.clone(), wired.clone()];
        let report = report(py);
        let found = report.unexplained().find(|it| it.type_name == "suspects.Wired").unwrap();
        assert_eq!((found.objects, found.references, found.address), (1, 3, wired.as_ptr() as usize));
        drop(more);
    });
}

#[test]
fn only_where_asked() {
    alone(|py| {
        let kept =
            keep(&Bound::new(py, Forgetful { field: Some(value(py)), ..Forgetful::default() }).unwrap());
        Audit::new().run(py).unwrap().assert_clean();
        py.get_type::<Deep>(); // makes it, so that there is something to be named
        Audit::new().suspects("suspects.Deep").run(py).unwrap().assert_clean();
        assert_eq!(Audit::new().suspects("suspects.Forgetful").run(py).unwrap().total(Kind::Holder), 1);
        drop(kept);
    });
}
