//! A thread that hangs while it keeps the interpreter from everybody is named, with its last step and its Python frames.

use std::sync::Mutex;
use std::time::Duration;

use pyo3::prelude::*;
use pyo3::types::{PyCFunction, PyDict};

use crate::support::process::outcome_in_a_process_of_its_own;
use crate::watchdog::{Progress, Watchdog};

#[test]
fn a_hang_ends_the_process_and_says_where() {
    let output = outcome_in_a_process_of_its_own(|| hang());
    let report = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success());
    for line in [
        "worker 1 hangs",
        "worker 0: step 1, does its work",
        "worker 1: step 2, waits for ever",
        "in waits_in_python",
    ] {
        assert!(report.contains(line), "{line:?} is missing from:\n{report}");
    }
}

/// One thread goes on for ever, until the other one doesn't.
fn hang() -> ! {
    let workers = [0, 1].map(|number| Progress::new(format!("worker {number}")));
    let _watchdog = Python::attach(|py| Watchdog::new(py, Duration::from_secs(2), workers.to_vec()));
    workers[0].run(|| workers[0].step("does its work"));
    workers[1].step("starts");
    workers[1].run(|| {
        Python::attach(|py| {
            let (progress, locked) = (workers[1].clone(), Mutex::new(()));
            let waits = PyCFunction::new_closure(py, None, None, move |_, _| {
                progress.step("waits for ever");
                let _first = locked.lock().unwrap();
                drop(locked.lock());
            });
            let scope = PyDict::new(py);
            scope.set_item("waits", waits.unwrap()).unwrap();
            py.run(c"def waits_in_python():\n    waits()\nwaits_in_python()", Some(&scope), None).unwrap();
        });
    });
    unreachable!("a lock was taken twice")
}
