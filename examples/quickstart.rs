//! The main job: reference cycles through Rust classes, collected.
//!
//! Builds 100,000 cycles through each of three classes, drops every reference to them, collects, and prints what
//! became of them. The classes are alike but for their garbage-collector hooks: one has none, one has hooks written by
//! hand, and one imports `pyo3_gc`. A release build also prints how long the collections took.

use std::fmt::Display;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use pyo3::PyClass;
use pyo3::prelude::*;

/// The classes take turns, so that what disturbs the machine disturbs them alike.
const ROUNDS: usize = 10;
/// In a round.
const CYCLES: usize = 10_000;
const KEPT: usize = 100;
/// Without, times would say little about either kind of hooks.
const OPTIMISED: bool = !cfg!(debug_assertions);

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
        #[allow(dead_code, reason = "it counts when it is dropped")]
        pub(super) dropped: super::Dropped,
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
        #[allow(dead_code, reason = "it counts when it is dropped")]
        pub(super) dropped: super::Dropped,
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
        #[allow(dead_code, reason = "it counts when it is dropped")]
        pub(super) dropped: super::Dropped,
    }

    #[pymethods]
    impl Node {}
}

/// What became of the cycles through one class.
struct Outcome {
    class: &'static str,
    dropped: &'static AtomicUsize,
    collected: usize,
    lost: usize,
    time: Duration,
}

impl Outcome {
    fn of(class: &'static str, dropped: &'static AtomicUsize) -> Self {
        Self { class, dropped, collected: 0, lost: 0, time: Duration::ZERO }
    }

    /// Makes nodes that refer to each other in pairs, forgets most of them, and collects.
    fn round<T>(&mut self, py: Python<'_>, new: impl Fn(Dropped) -> T) -> PyResult<()>
    where
        T: PyClass + Into<PyClassInitializer<T>>,
    {
        let node = || PyResult::Ok(Bound::new(py, new(Dropped(self.dropped)))?.into_any());
        let cycle = || -> PyResult<Bound<'_, PyAny>> {
            let (a, b) = (node()?, node()?);
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

        let (before, start) = (self.dropped.load(Ordering::Relaxed), Instant::now());
        gc.call_method0("collect")?;
        self.time += start.elapsed();
        self.collected += (self.dropped.load(Ordering::Relaxed) - before) / 2;
        gc.call_method0("enable")?;

        for node in kept {
            if !node.getattr("peer")?.getattr("peer")?.is(&node) {
                self.lost += 1;
            }
        }
        Ok(())
    }
}

fn main() -> PyResult<ExitCode> {
    static COUNTS: [AtomicUsize; 3] = [const { AtomicUsize::new(0) }; 3];

    let mut none = Outcome::of("without hooks", &COUNTS[0]);
    let mut by_hand = Outcome::of("hooks by hand", &COUNTS[1]);
    let mut ours = Outcome::of("pyo3_gc", &COUNTS[2]);
    Python::attach(|py| -> PyResult<_> {
        for _ in 0..ROUNDS {
            by_hand.round(py, |dropped| hooks_by_hand::Node { peer: None, dropped })?;
            ours.round(py, |dropped| with_pyo3_gc::Node { peer: None, dropped })?;
        }
        // In the end, since the collector looks at what leaks ever after.
        (0..ROUNDS).try_for_each(|_| none.round(py, |dropped| without_hooks::Node { peer: None, dropped }))
    })?;

    let outcomes = [none, by_hand, ours];
    let time = |time: &dyn Display| if OPTIMISED { format!("{time:>14}") } else { String::new() };
    println!("{:<14} {:>8} {:>10} {:>8}{}", "class", "cycles", "collected", "leaked", time(&"milliseconds"));
    for outcome in &outcomes {
        let Outcome { class, collected, .. } = outcome;
        let (cycles, milliseconds) = (ROUNDS * CYCLES, outcome.time.as_secs_f64() * 1e3);
        let leaked = cycles - collected;
        println!(
            "{class:<14} {cycles:>8} {collected:>10} {leaked:>8}{}",
            time(&format!("{milliseconds:.1}"))
        );
    }
    let lost: usize = outcomes.iter().map(|outcome| outcome.lost).sum();
    println!("\n{} live cycles kept, {lost} lost", ROUNDS * KEPT * outcomes.len());
    if !OPTIMISED {
        println!("\nHow long the collections take: cargo run --release --example quickstart");
    }
    let leaked = ROUNDS * CYCLES - outcomes[2].collected;
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
        check(|peer, dropped| with_pyo3_gc::Node { peer, dropped }).assert_correct();
        check(|peer, dropped| hooks_by_hand::Node { peer, dropped }).assert_correct();
    }

    #[test]
    fn the_missing_hooks_are_found() {
        let report = check(|peer, dropped| without_hooks::Node { peer, dropped });
        // From PyO3 0.30 on every class is a GC type, which then visits nothing but its type.
        let found = matches!(
            report.faults[..],
            [Fault::NoTraverse { .. }] | [Fault::NotVisited { .. }, Fault::KeptAfterClear { .. }]
        );
        assert!(found, "{report}");
    }
}
