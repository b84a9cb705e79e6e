//! The audit finds instances that the collector was never told of, among others that it tracks. (PyO3/pyo3#6442)

use pyo3::prelude::*;
use pyo3_gc::audit::{Audit, Report, audit};
use pyo3_gc::{pyclass, pymethods};

use crate::support::{alone, object};

/// What is made from the freelist isn't tracked.
#[pyclass(module = "untracked", freelist = 8)]
struct Reused(Option<Py<PyAny>>);

#[pymethods]
impl Reused {}

/// Instances, each kept by an object.
fn reused<'py>(py: Python<'py>, number: usize, value: Option<&Bound<'py, PyAny>>) -> Vec<Bound<'py, PyAny>> {
    let kept = (0..number).map(|_| {
        let keeper = object(py);
        let value = value.map(|value| value.clone().unbind());
        keeper.setattr("kept", Bound::new(py, Reused(value)).unwrap()).unwrap();
        keeper
    });
    kept.collect()
}

/// Whether the collector tracks what one of these keeps.
fn is_tracked(keeper: &Bound<'_, PyAny>) -> bool {
    let gc = keeper.py().import("gc").unwrap();
    gc.call_method1("is_tracked", (keeper.getattr("kept").unwrap(),)).unwrap().extract().unwrap()
}

fn found(report: &Report) -> Vec<(&str, usize, usize, usize)> {
    report.untracked().map(|it| (&*it.type_name, it.objects, it.tracked, it.references)).collect()
}

#[test]
fn what_a_freelist_hands_out_again() {
    alone(|py| {
        let value = object(py);
        let first = reused(py, 10, Some(&value));
        assert!(first.iter().all(is_tracked));
        audit(py).unwrap().assert_clean();
        // Five go to the freelist, and come back.
        let mut first = first;
        first.truncate(5);
        let again = reused(py, 7, Some(&value));
        let forgotten = again.iter().filter(|keeper| !is_tracked(keeper)).count();
        let report = audit(py).unwrap();
        if forgotten == 0 {
            report.assert_clean(); // a PyO3 with the mistake corrected
            return;
        }
        assert_eq!(found(&report), [("untracked.Reused", forgotten, 12 - forgotten, forgotten)], "{report}");
        assert_eq!(report.findings(), 1, "{report}");
        let text = report.to_string();
        assert!(text.contains(&format!("untracked.Reused, {forgotten} objects, the first at 0x")), "{text}");
        assert!(
            text.contains(": not tracked, with 5 references to what is; 7 others are tracked\n"),
            "{text}"
        );
        let report = Audit::new().allow("untracked.Reused", "PyO3/pyo3#6442").run(py).unwrap();
        report.assert_clean();

        // While they hold nothing that is tracked, nothing can come of it.
        drop((first, again));
        let none = reused(py, 10, None);
        audit(py).unwrap().assert_clean();
        drop(none);
    });
}

#[test]
fn what_cpython_leaves_untracked_is_all_right() {
    alone(|py| {
        let code = c"
import gc, sys
def function():
    local = [sys._getframe()]
    return local
frames = function()
def generator():
    local = [object()]
    yield sys._getframe(), local
running = generator()
first = next(running)
tuples = [(1, (2, 'a')), ({'b': 1.5},)]
gc.collect()
kept = [type, int, sys, function, tuples]
";
        let names = pyo3::types::PyDict::new(py);
        py.run(code, Some(&names), Some(&names)).unwrap();
        audit(py).unwrap().assert_clean();
    });
}
