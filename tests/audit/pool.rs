//! What a pool owns, the audit counts.

use std::sync::mpsc::channel;
use std::thread;

use pyo3::prelude::*;
use pyo3_gc::audit::Audit;
use pyo3_gc::{PyGcPool, PyGcPooled, pyclass, pymethods};

use crate::support::process::in_a_process_of_its_own;
use crate::support::{alone, object};

#[pyclass(module = "pools")]
struct Holder {
    pool: PyGcPool,
    handles: Vec<PyGcPooled<PyAny>>,
}

#[pymethods]
impl Holder {}

/// Also what a thread that isn't attached has let go of, and nobody has dropped.
#[test]
fn its_objects_are_no_suspects() {
    // In memory that nothing else has used: what is left over in blocks that are used again looks like references.
    in_a_process_of_its_own(|| alone(pool_of_a_holder));
}

fn pool_of_a_holder(py: Python<'_>) {
    let holder = Bound::new(py, Holder { pool: PyGcPool::new(py).unwrap(), handles: Vec::new() }).unwrap();
    let mut handles = holder.borrow().pool.put_many(py, (0..200).map(|_| object(py).unbind()));
    let (sender, received) = channel::<Vec<PyGcPooled<PyAny>>>();
    let thread = thread::spawn(move || received.into_iter().for_each(drop));
    sender.send(handles.split_off(100)).unwrap();
    drop(sender);
    thread.join().unwrap();
    holder.borrow_mut().handles = handles;
    let main = py.import("__main__").unwrap();
    main.setattr("holder", holder).unwrap();

    for pattern in ["pools", "pyo3_gc", "__main__"] {
        let report = Audit::new().suspects(pattern).run(py).unwrap();
        report.assert_clean();
        assert!(report.holders().next().is_none(), "{report}");
    }
    let holder = main.getattr("holder").unwrap().cast_into::<Holder>().unwrap();
    main.delattr("holder").unwrap();
    assert!(holder.borrow().handles.iter().all(|handle| handle.get(py).is_some()));
}
