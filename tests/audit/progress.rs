//! An audit tells how far it is, and can be broken off at any time.

use std::ops::ControlFlow;

use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3_gc::audit::{Audit, Kind, Step, audit};

use crate::report::Twice;
use crate::support::{alone, object};

/// Owns much memory, in which there is nothing to find.
#[expect(dead_code, reason = "only the audit looks")]
#[pyo3::pyclass(module = "progress")]
struct Large(Vec<usize>);

/// All that an audit tells.
fn steps(py: Python<'_>, audit: Audit<'_>) -> Vec<Step> {
    let mut steps = Vec::new();
    let audit = audit.progress(|step| {
        steps.push(step);
        ControlFlow::Continue(())
    });
    audit.run(py).unwrap();
    steps
}

#[test]
fn it_is_told() {
    alone(|py| {
        let many = (0..50_000).map(|_| pyo3::types::PyList::empty(py)).collect::<Vec<_>>();
        let steps = steps(py, Audit::new());
        let [first, .., last] = &*steps else { panic!("{steps:?}") };
        assert!((first.stage, first.done) == (last.stage, 0) && last.done > 40_000, "{steps:?}");
        assert!(steps.is_sorted_by_key(|step| step.done) && first.total >= 50_000, "{steps:?}");
        assert_eq!(first.to_string(), format!("counting visits: 0 of {}", first.total));
        drop(many);
    });
}

/// Objects that own much are told of as often as many objects are.
#[cfg(target_os = "linux")]
#[test]
fn the_search_for_suspects_tells_as_often_as_it_takes_long() {
    const WORDS: usize = 1 << 13;
    alone(|py| {
        let large = (0..400).map(|_| Py::new(py, Large(vec![1; WORDS])).unwrap()).collect::<Vec<_>>();
        let list = pyo3::types::PyList::new(py, &large).unwrap();
        let steps = steps(py, Audit::new().suspects("progress.Large"));
        let told = steps.iter().filter(|step| step.stage.starts_with("searching ")).collect::<Vec<_>>();
        assert!(told.len() >= large.len() / 4 && told.is_sorted_by_key(|step| step.done), "{told:?}");
        assert!(told.iter().all(|step| step.done <= step.total), "{told:?}");
        drop(list);
    });
}

/// Whatever it does just then, it leaves the interpreter as it was, and says what it found.
#[test]
fn it_is_broken_off_in_every_stage() {
    alone(|py| {
        let twice = Bound::new(py, Twice(object(py).unbind())).unwrap();
        let large = Bound::new(py, Large(vec![1; 1 << 15])).unwrap();
        let list = pyo3::types::PyList::new(py, [&large]).unwrap();
        let asked = || Audit::new().suspects("progress");
        let mut stages = steps(py, asked()).into_iter().map(|step| step.stage).collect::<Vec<_>>();
        stages.dedup();
        assert!(stages.len() >= 3, "{stages:?}");
        for stage in stages {
            let mut calls = 0;
            let broken_off = asked().progress(|step| {
                assert_eq!(calls, 0, "called again");
                if step.stage == stage {
                    calls += 1;
                    return ControlFlow::Break(());
                }
                ControlFlow::Continue(())
            });
            let error = broken_off.run(py).unwrap_err();
            assert!(error.is_instance_of::<PyKeyboardInterrupt>(py), "{error}");
            let message = error.value(py).to_string();
            assert!(message.starts_with(&format!("the audit was broken off, {stage}: ")), "{message}");
            let is_search = !stage.starts_with("counting")
                && !stage.starts_with("looking for visits")
                && !stage.contains("untracked");
            assert!(!is_search || message.contains("\nover-visited: 1 "), "{message}");
            assert_eq!(audit(py).unwrap().total(Kind::OverVisited), 1, "{stage}");
        }
        drop((list, twice));
    });
}
