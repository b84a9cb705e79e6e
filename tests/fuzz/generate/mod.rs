//! Items for the macros to expand, made at random, that know how many mistakes are on which of their lines.
//!
//! The same seed makes the same item. `FUZZ_ITEMS` says how many to make (each test has its own default, so that a run
//! stays short) and `FUZZ_SEED` with which seed to start: the second item has the next one, and so on. A failure prints
//! the seed of its item, so that `FUZZ_SEED=<seed> FUZZ_ITEMS=1` repeats it.

#![allow(dead_code, reason = "each test uses what it needs")]

mod class;
mod fields;
mod generics;
pub(crate) mod item;
mod keys;
pub(crate) mod soup;
mod spellings;
mod types;

use std::fmt::{self, Write};
use std::ops::Range;
use std::{env, thread};

use fastrand::Rng;

/// What is wrong with an item, if anything. One kind an item, since rustc finds each in another phase.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Flaw {
    /// Nothing: it compiles.
    Nothing,
    /// What our macros can see: attributes and shapes.
    Attributes,
    /// Paths that lead nowhere.
    Paths,
    /// What only rustc can see, through what our macros emit: types with or without the trait, missing hooks.
    Types,
}

/// A line of source and how many mistakes are on it.
struct Line {
    text: String,
    mistakes: usize,
}

/// An item as a user would write it, with all that it needs beside the prelude.
#[derive(Default)]
pub(crate) struct Source {
    lines: Vec<Line>,
}

impl Source {
    pub(crate) fn line(&mut self, text: impl Into<String>) {
        self.wrong(text, 0);
    }

    /// A line with mistakes on it.
    pub(crate) fn wrong(&mut self, text: impl Into<String>, mistakes: usize) {
        self.lines.push(Line { text: text.into(), mistakes });
    }

    pub(crate) fn append(&mut self, other: Self) {
        self.lines.extend(other.lines);
    }

    /// What stands between braces.
    pub(crate) fn append_inside(&mut self, other: Self) {
        let inside = |line: Line| Line { text: format!("    {}", line.text), ..line };
        self.lines.extend(other.lines.into_iter().map(inside));
    }

    pub(crate) fn mistakes(&self) -> usize {
        self.lines.iter().map(|line| line.mistakes).sum()
    }

    /// How many mistakes each line has.
    pub(crate) fn mistakes_by_line(&self) -> impl Iterator<Item = usize> {
        self.lines.iter().map(|line| line.mistakes)
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.lines.iter().try_for_each(|line| {
            f.write_str(&line.text)?;
            match line.mistakes {
                0 => {}
                1 => f.write_str(" //~ mistake")?,
                count => write!(f, " //~ {count} mistakes")?,
            }
            f.write_char('\n')
        })
    }
}

/// The seeds of a run.
pub(crate) fn seeds(default_count: u64) -> Range<u64> {
    let read = |name: &str, default| match env::var(name) {
        Ok(value) => value.parse().unwrap_or_else(|_| panic!("{name} is not a number: {value}")),
        Err(_) => default,
    };
    let first = read("FUZZ_SEED", 0);
    first..first + read("FUZZ_ITEMS", default_count)
}

/// Calls `test` with the generator of each seed of a run, and says how to repeat the one that fails.
pub(crate) fn with_seeds(default_count: u64, mut test: impl FnMut(&mut Rng)) {
    struct Replay(u64);

    impl Drop for Replay {
        fn drop(&mut self) {
            if thread::panicking() {
                eprintln!("to repeat this: FUZZ_SEED={} FUZZ_ITEMS=1", self.0);
            }
        }
    }

    for seed in seeds(default_count) {
        let _replay = Replay(seed);
        test(&mut Rng::with_seed(seed));
    }
}

/// One of several, each as likely as the others.
pub(crate) fn pick<'a, T: ?Sized>(rng: &mut Rng, choices: &[&'a T]) -> &'a T {
    choices[rng.usize(..choices.len())]
}

/// `true` once in `n` times.
pub(crate) fn one_in(rng: &mut Rng, n: u32) -> bool {
    rng.u32(..n) == 0
}
