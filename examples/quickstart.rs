//! The main job: reference cycles through Rust classes, collected.
//!
//! Builds 100,000 cycles through each of three classes, drops every reference to them, collects, and prints what
//! became of them. The classes are alike but for their garbage-collector hooks: one has none, one has hooks written by
//! hand, and one imports `pyo3_gc`.

use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use pyo3::PyClass;
use pyo3::prelude::*;

const CYCLES: usize = 100_000;
const KEPT: usize = 1_000;

/// Counts how often the instances of a class are dropped.
struct Dropped(&'static AtomicUsize);
pyo3_gc::leaf!(Dropped);

impl Drop for Dropped {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

/// No hooks: what most classes in the wild look like.
mod without_hooks {
    use pyo3::prelude::*;

    #[pyclass]
    pub(super) struct Node {
        #[pyo3(get, set)]
        pub(super) peer: Option<Py<PyAny>>,
        pub(super) _dropped: super::Dropped,
    }
}

/// Hooks by hand: correct, as long as nobody adds a field and forgets a line.
mod hooks_by_hand {
    use pyo3::prelude::*;
    use pyo3::{PyTraverseError, PyVisit};

    #[pyclass]
    pub(super) struct Node {
        #[pyo3(get, set)]
        pub(super) peer: Option<Py<PyAny>>,
        pub(super) _dropped: super::Dropped,
    }

    #[pymethods]
    impl Node {
        fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
            visit.call(&self.peer)
        }

        fn __clear__(&mut self) {
            self.peer = None;
        }
    }
}

/// One import line: the hooks follow from the fields.
mod with_pyo3_gc {
    use pyo3::prelude::*;
    use pyo3_gc::{pyclass, pymethods};

    #[pyclass]
    pub(super) struct Node {
        #[pyo3(get, set)]
        pub(super) peer: Option<Py<PyAny>>,
        pub(super) _dropped: super::Dropped,
    }

    #[pymethods]
    impl Node {}
}

/// What became of the cycles through one class.
struct Outcome {
    class: &'static str,
    collected: usize,
    lost: usize,
    milliseconds: f64,
}

/// Makes nodes that refer to each other in pairs, forgets most of them, and collects.
fn run<T>(
    py: Python<'_>,
    class: &'static str,
    dropped: &AtomicUsize,
    new: impl Fn() -> T,
) -> PyResult<Outcome>
where
    T: PyClass + Into<PyClassInitializer<T>>,
{
    let cycle = || -> PyResult<Bound<'_, PyAny>> {
        let (a, b) = (Bound::new(py, new())?.into_any(), Bound::new(py, new())?.into_any());
        a.setattr("peer", &b)?;
        b.setattr("peer", &a)?;
        Ok(a)
    };
    let gc = py.import("gc")?;
    gc.call_method0("collect")?;
    gc.call_method0("disable")?;
    let kept = (0..KEPT).map(|_| cycle()).collect::<PyResult<Vec<_>>>()?;
    for _ in 0..CYCLES {
        cycle()?;
    }

    let start = Instant::now();
    gc.call_method0("collect")?;
    let milliseconds = start.elapsed().as_secs_f64() * 1e3;
    gc.call_method0("enable")?;

    let collected = dropped.load(Ordering::Relaxed) / 2;
    let mut lost = 0;
    for node in kept {
        if !node.getattr("peer")?.getattr("peer")?.is(&node) {
            lost += 1;
        }
    }
    Ok(Outcome { class, collected, lost, milliseconds })
}

fn main() -> PyResult<ExitCode> {
    static COUNTS: [AtomicUsize; 3] = [const { AtomicUsize::new(0) }; 3];

    let outcomes = Python::attach(|py| -> PyResult<_> {
        let [none, by_hand, derived] = [0, 1, 2].map(|i| move || Dropped(&COUNTS[i]));
        Ok([
            run(py, "without hooks", &COUNTS[0], || without_hooks::Node { peer: None, _dropped: none() })?,
            run(py, "hooks by hand", &COUNTS[1], || hooks_by_hand::Node { peer: None, _dropped: by_hand() })?,
            run(py, "pyo3_gc", &COUNTS[2], || with_pyo3_gc::Node { peer: None, _dropped: derived() })?,
        ])
    })?;

    println!("{:<14} {:>8} {:>10} {:>8} {:>14}", "class", "cycles", "collected", "leaked", "milliseconds");
    for Outcome { class, collected, milliseconds, .. } in &outcomes {
        let leaked = CYCLES - collected;
        println!("{class:<14} {CYCLES:>8} {collected:>10} {leaked:>8} {milliseconds:>14.1}");
    }
    let lost: usize = outcomes.iter().map(|outcome| outcome.lost).sum();
    let leaked = CYCLES - outcomes[2].collected;
    println!("\n{} live cycles kept, {lost} lost", KEPT * outcomes.len());
    Ok(if leaked == 0 && lost == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

#[cfg(test)]
mod tests {
    use pyo3_gc::testing::{ClassReport, Fault, check_class};

    use super::*;

    fn check<T>(new: impl Fn(Option<Py<PyAny>>, Dropped) -> T) -> ClassReport
    where
        T: PyClass + Into<PyClassInitializer<T>>,
    {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let report = Python::attach(|py| {
            check_class(py, |sentinels| Bound::new(py, new(Some(sentinels.object("peer")?), Dropped(&COUNT))))
        });
        report.unwrap()
    }

    #[test]
    fn the_hooks_are_right() {
        check(|peer, dropped| with_pyo3_gc::Node { peer, _dropped: dropped }).assert_correct();
        check(|peer, dropped| hooks_by_hand::Node { peer, _dropped: dropped }).assert_correct();
    }

    #[test]
    fn the_missing_hooks_are_found() {
        let report = check(|peer, dropped| without_hooks::Node { peer, _dropped: dropped });
        // From PyO3 0.30 on every class is a GC type, which then visits nothing but its type.
        let found = matches!(
            report.faults[..],
            [Fault::NoTraverse { .. }] | [Fault::NotVisited { .. }, Fault::KeptAfterClear { .. }]
        );
        assert!(found, "{report}");
    }
}
