//! What `instructions.sh` runs under callgrind: ten traversals of one shape, by one class of the two, or a collection.

use std::env;
use std::hint::black_box;

use pyo3::prelude::*;

use support::Traversal;
use support::shapes::{self, Derived, Sizes, Wired, WiredByHand};

mod support;

const SIZES: Sizes = Sizes { nodes: 10_000, objects: 10_000, named: 10_000, leaves: 10_000 };

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    Python::attach(|py| {
        let all = || [shapes::empty(py)].into_iter().chain(shapes::all(py, &SIZES));
        match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            ["list"] => all().for_each(|twins| println!("{}", twins.shape)),
            [class @ ("derived" | "by hand"), shape] => {
                let twins = all().find(|twins| twins.shape == shape).expect("a shape from the list");
                measured(py, if class == "derived" { &twins.derived } else { &twins.by_hand });
            }
            ["garbage", "wired"] => collected(py, Wired::alone, Wired::join),
            ["garbage", "derived"] => collected(py, Derived::alone, Derived::join),
            ["garbage", "by hand"] => collected(py, WiredByHand::alone, WiredByHand::join),
            _ => println!("run benches/instructions.sh"),
        }
    });
}

/// Callgrind counts what happens in here, and knows it by its name.
#[inline(never)]
#[unsafe(no_mangle)]
extern "Rust" fn measured(py: Python<'_>, traversal: &Traversal) {
    for _ in 0..10 {
        black_box(traversal.run(py));
    }
}

/// Collects a ring of a thousand instances.
fn collected(
    py: Python<'_>,
    alone: fn(Python<'_>) -> Bound<'_, PyAny>,
    join: fn(&Bound<'_, PyAny>, &Bound<'_, PyAny>),
) {
    let gc = py.import("gc").unwrap();
    for method in ["disable", "collect", "freeze"] {
        gc.call_method0(method).unwrap();
    }
    let first = alone(py);
    let last = (1..1_000).fold(first.clone(), |last, _| {
        let next = alone(py);
        join(&last, &next);
        next
    });
    join(&last, &first);
    drop((first, last));
    collection(&gc.getattr("collect").unwrap());
}

/// As [`measured`].
#[inline(never)]
#[unsafe(no_mangle)]
extern "Rust" fn collection(collect: &Bound<'_, PyAny>) {
    let found: usize = collect.call0().unwrap().extract().unwrap();
    assert!(found >= 1_000);
}
