//! Random graphs of Python objects, classes of ours and shared contents, and random things done to them: a model in plain
//! Rust says after each step what must be alive, and whole, and what must be gone (see `main.rs`).
//!
//! ```console
//! $ cargo test --test model graphs                         # 1,250 graphs
//! $ PROPTEST_CASES=100000 cargo test --test model graphs   # so many in each of the tests
//! ```
//!
//! Each batch of graphs runs in a process of its own, so that one that crashes or hangs the interpreter is reduced to a
//! short program, like any other that fails. The failure says how to see it again; nothing is stored.

use std::env;
use std::hash::{BuildHasher, RandomState};

use proptest::test_runner::{Config, RngSeed, TestCaseError, TestError, TestRunner};

use crate::support::alone;
use crate::{machine, program};

/// Of each process.
const BATCH: u32 = 250;

#[test]
fn small() {
    check(concat!(module_path!(), "::small"), 1_000, 15, 60);
}

#[test]
fn large() {
    check(concat!(module_path!(), "::large"), 250, 200, 120);
}

/// Graphs of up to about so many nodes, each changed in up to so many ways.
fn check(test: &'static str, graphs: u32, nodes: usize, changes: usize) {
    let config = Config::default(); // asks the environment
    let graphs = if env::var_os("PROPTEST_CASES").is_some() { config.cases } else { graphs };
    let seed = match config.rng_seed {
        RngSeed::Fixed(seed) => seed,
        RngSeed::Random => RandomState::new().hash_one(test),
    };
    let batch = graphs.min(BATCH);
    for number in 0..graphs.div_ceil(batch) {
        let seed = seed.wrapping_add(number.into());
        let config = Config {
            cases: batch,
            rng_seed: RngSeed::Fixed(seed),
            failure_persistence: None,
            max_shrink_iters: 10_000,
            fork: true,
            timeout: if config.timeout == 0 { 60_000 } else { config.timeout },
            test_name: Some(test),
            ..config.clone()
        };
        let mut runner = TestRunner::new(config);
        let result = runner.run(&program::programs(nodes, changes), |program| {
            alone(|py| machine::run(py, &program)).map(drop).map_err(TestCaseError::fail)
        });
        let program = match result {
            Ok(()) => continue,
            Err(TestError::Fail(_, program)) => program,
            Err(error @ TestError::Abort(_)) => panic!("{error}"),
        };
        let (_, name) = test.split_once("::").unwrap_or_default();
        panic!(
            "a program fails, in batch {number}; what its process has to say about it stands above, if it didn't crash. The shortest:\n\
             {program:?}{runner}to see it again: PROPTEST_RNG_SEED={seed} PROPTEST_CASES={batch} cargo test --test model {name}"
        );
    }
}
