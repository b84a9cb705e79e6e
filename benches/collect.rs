//! A full `gc.collect()` over a million linked instances, first alive, then garbage: derived hooks, hand-written
//! ones, those of the import line, and a class of plain C slots.

use std::time::Duration;

use pyo3::prelude::*;

use support::shapes::{Derived, Wired, WiredByHand};
use support::{Times, c_slots, is_measuring, turns};

mod support;

/// A class, and how to make a ring of its instances.
struct Contender<'py> {
    name: &'static str,
    alone: Box<dyn Fn() -> Bound<'py, PyAny> + 'py>,
    join: fn(&Bound<'py, PyAny>, &Bound<'py, PyAny>),
}

fn main() -> PyResult<()> {
    let (instances, rounds) = if is_measuring() { (1_000_000, 11) } else { (1_000, 1) };
    Python::attach(|py| {
        let gc = py.import("gc")?;
        gc.call_method0("disable")?;
        gc.call_method0("freeze")?;

        let c_class = c_slots::class(py)?;
        let contenders = [
            Contender { name: "derived", alone: Box::new(|| Derived::alone(py)), join: Derived::join },
            Contender {
                name: "by hand",
                alone: Box::new(|| WiredByHand::alone(py)),
                join: WiredByHand::join,
            },
            Contender { name: "wired", alone: Box::new(|| Wired::alone(py)), join: Wired::join },
            Contender { name: "C slots", alone: Box::new(|| c_slots::alone(&c_class)), join: c_slots::join },
        ];
        let (mut alive, mut garbage) = (Times::<4>::new(), Times::<4>::new());
        for turn in turns::<4>(rounds) {
            let handle = ring(&contenders[turn], instances);
            let (time, found) = collect(&gc)?;
            assert!(found < instances, "{found} live instances were collected");
            alive.push(turn, time);

            drop(handle);
            let (time, found) = collect(&gc)?;
            assert!(found >= instances, "{found} of {instances} instances were collected");
            garbage.push(turn, time);
        }

        println!(
            "{:<28} {:>12} {:>12} {:>8} {:>10}",
            "gc.collect()", "shortest", "median", "/by hand", "/C slots"
        );
        for (what, times) in [("alive", alive), ("garbage", garbage)] {
            for (contender, Contender { name, .. }) in contenders.iter().enumerate() {
                let (shortest, median) = (times.shortest(contender), times.median(contender));
                let (to_hand, to_c) = (times.ratio(contender, 1), times.ratio(contender, 3));
                let what = format!("{what}, {name}");
                println!("{what:<28} {shortest:>12.1?} {median:>12.1?} {to_hand:>8.2} {to_c:>10.2}");
            }
        }
        Ok(())
    })
}

/// Each instance is linked to both of its neighbours, so that clearing one never sets off a chain of destructors as
/// long as the ring.
fn ring<'py>(contender: &Contender<'py>, instances: usize) -> Bound<'py, PyAny> {
    let first = (contender.alone)();
    let mut last = first.clone();
    for _ in 1..instances {
        let node = (contender.alone)();
        (contender.join)(&last, &node);
        last = node;
    }
    (contender.join)(&last, &first);
    first
}

/// One full collection: the processor's time for it, which says more than the clock's on a busy machine, and how many
/// objects it found unreachable.
fn collect(gc: &Bound<'_, PyModule>) -> PyResult<(Duration, usize)> {
    let collect = gc.getattr("collect")?;
    let clock = gc.py().import("time")?.getattr("thread_time_ns")?;
    let start: u64 = clock.call0()?.extract()?;
    let found = collect.call0()?;
    let end: u64 = clock.call0()?.extract()?;
    Ok((Duration::from_nanos(end - start), found.extract()?))
}
