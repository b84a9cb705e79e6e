//! What a pool owns, the audit counts.

use std::sync::mpsc::channel;
use std::thread;

use pyo3::prelude::*;
use pyo3_gc::audit::{Audit, Report, audit};
use pyo3_gc::{PyGcPool, PyGcPooled, pyclass, pymethods};

use crate::support::alone;
use crate::support::process::in_a_process_of_its_own;

#[pyclass(module = "pools")]
struct Holder {
    pool: PyGcPool,
    handles: Vec<PyGcPooled<PyAny>>,
}

#[pymethods]
impl Holder {}

/// Holds the same without a pool.
#[pyclass(module = "pools")]
struct Hider {
    #[pyo3_gc(hidden = "what the audit is to find")]
    _objects: Vec<Py<PyAny>>,
}

#[pymethods]
impl Hider {}

/// Whether anything is said of pooled objects, of pools, or of what holds them. (What else is found in memory may be left
/// over from what was there before.)
fn is_suspicious(report: &Report) -> bool {
    let is_ours =
        |name: &str| name.ends_with("Pooled") || name.starts_with("pools.") || name.starts_with("pyo3_gc.");
    report.holders().any(|holder| holder.held.iter().any(|held| is_ours(&held.type_name)))
        || report.unexplained().any(|found| is_ours(&found.type_name))
}

/// Also what a thread that isn't attached has let go of, and nobody has dropped.
#[test]
fn its_objects_are_no_suspects() {
    in_a_process_of_its_own(|| {
        alone(|py| {
            let class = py.eval(c"type('Pooled', (), {})", None, None).unwrap();
            let object = || class.call0().unwrap().unbind();
            let holder =
                Bound::new(py, Holder { pool: PyGcPool::new(py).unwrap(), handles: Vec::new() }).unwrap();
            let mut handles = holder.borrow().pool.put_many(py, (0..200).map(|_| object()));
            let (sender, received) = channel::<Vec<PyGcPooled<PyAny>>>();
            let thread = thread::spawn(move || received.into_iter().for_each(drop));
            sender.send(handles.split_off(100)).unwrap();
            drop(sender);
            thread.join().unwrap();
            holder.borrow_mut().handles = handles;
            let main = py.import("__main__").unwrap();
            main.setattr("holder", holder).unwrap();

            audit(py).unwrap().assert_clean();
            let patterns = ["pools", "pyo3_gc", "__main__"];
            for pattern in patterns {
                let report = Audit::new().suspects(pattern).run(py).unwrap();
                assert!(!is_suspicious(&report), "{report}");
            }

            let hider = Bound::new(py, Hider { _objects: (0..200).map(|_| object()).collect() }).unwrap();
            main.setattr("hider", hider).unwrap();
            let report = Audit::new().suspects("pools").run(py).unwrap();
            assert!(is_suspicious(&report), "{report}");

            main.delattr("hider").unwrap();
            let holder = main.getattr("holder").unwrap().cast_into::<Holder>().unwrap();
            main.delattr("holder").unwrap();
            assert!(holder.borrow().handles.iter().all(|handle| handle.get(py).is_some()));
        });
    });
}
