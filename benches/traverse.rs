//! One traversal through the class's `tp_traverse`: derived hooks against hand-written ones on the same fields.

use std::time::Duration;

use pyo3::prelude::*;

use support::shapes::{self, Sizes, Twins};
use support::{Times, is_measuring, time, turns};

mod support;

const ROUNDS: usize = 41;
/// Long enough for the clock, short enough for a round to be over before the machine's mood changes.
const TURN: Duration = Duration::from_millis(5);

fn main() {
    let sizes = if is_measuring() {
        Sizes { nodes: 100_000, objects: 1_000_000, named: 100_000, leaves: 10_000_000 }
    } else {
        Sizes { nodes: 100, objects: 100, named: 100, leaves: 100 }
    };
    Python::attach(|py| {
        let shapes = shapes::all(py, &sizes);
        if is_measuring() {
            compare(py, &shapes);
        } else {
            for Twins { derived, by_hand, .. } in &shapes {
                assert_eq!(derived.run(py), by_hand.run(py));
            }
        }
    });
}

/// The ratios, from paired runs.
fn compare(py: Python<'_>, shapes: &[Twins]) {
    println!("{:<28} {:>12} {:>12} {:>8}", "traverse", "derived", "by hand", "ratio");
    for Twins { shape, derived, by_hand } in shapes {
        let once = time(3, || by_hand.run(py)).max(Duration::from_nanos(1));
        let times = u32::try_from(TURN.as_nanos() / once.as_nanos()).unwrap_or(u32::MAX).max(1);
        let mut taken = Times::<2>::new();
        for turn in turns::<2>(ROUNDS) {
            let traversal = [derived, by_hand][turn];
            taken.push(turn, time(times, || traversal.run(py)));
        }
        let (ours, theirs, ratio) = (taken.shortest(0), taken.shortest(1), taken.ratio(0, 1));
        println!("{shape:<28} {ours:>12.1?} {theirs:>12.1?} {ratio:>8.2}");
    }
}
