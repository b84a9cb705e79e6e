//! What `instructions.sh` runs under callgrind: ten traversals of one shape, by one class of the two.

use std::env;
use std::hint::black_box;

use pyo3::prelude::*;

use support::Traversal;
use support::shapes::{self, Sizes};

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
            ["garbage", class] => {
                let gc = py.import("gc").unwrap();
                gc.call_method0("collect").unwrap();
                gc.call_method0("freeze").unwrap();
                gc.call_method0("disable").unwrap();
                macro_rules! ring {
                    ($c:ident) => {{
                        let first = shapes::$c::alone(py);
                        let mut last = first.clone();
                        for _ in 1..10000 {
                            let node = shapes::$c::alone(py);
                            shapes::$c::join(&last, &node);
                            last = node;
                        }
                        shapes::$c::join(&last, &first);
                    }};
                }
                match class {
                    "wired" => ring!(Wired),
                    "derived" => ring!(Derived),
                    _ => ring!(WiredByHand),
                }
                collected(&gc.getattr("collect").unwrap());
            }
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

/// Callgrind counts what happens in here, and knows it by its name.
#[inline(never)]
#[unsafe(no_mangle)]
extern "Rust" fn collected(collect: &Bound<'_, PyAny>) {
    black_box(collect.call0().unwrap());
}
