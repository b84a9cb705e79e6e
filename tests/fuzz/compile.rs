//! Generated items, compiled: what is right compiles without a warning, and answers for itself; what is wrong has one
//! error for each mistake, at its line, and no other. See `generate/mod.rs` for how to run more, and how to repeat a failure.

use std::collections::BTreeMap;
use std::fmt::Write;

use fastrand::Rng;

use crate::generate::{Flaw, Source, item, seeds};
use crate::project::Project;

const HEAD: &str = "\
#![forbid(unsafe_code)]
#![warn(warnings)]
#![allow(dead_code, non_camel_case_types, unused_braces, unused_imports, unused_parens)]
extern crate fuzzed;
";

/// A crate for each kind of flaw, since rustc stops after a phase that finds errors.
const CRATES: [(&str, Flaw); 4] = [
    ("fuzz_right", Flaw::Nothing),
    ("fuzz_wrong_attributes", Flaw::Attributes),
    ("fuzz_wrong_paths", Flaw::Paths),
    ("fuzz_wrong_types", Flaw::Types),
];

#[test]
fn as_many_errors_as_mistakes() {
    let mut project = Project::new("fuzzed", include_str!("generate/prelude.rs"));
    let crates = CRATES.map(|(name, flaw)| {
        let items: Vec<(u64, Source)> =
            seeds(100).map(|seed| (seed, item::item(&mut Rng::with_seed(seed), flaw))).collect();
        let mut text = HEAD.to_owned();
        // A module for each item, which is known by its seed.
        for (seed, item) in &items {
            writeln!(text, "mod seed_{seed} {{\nuse fuzzed::prelude::*;\n{item}}}").unwrap();
        }
        project.add(name, &text);
        (name, items)
    });

    let mut found = project.build();
    let failures: Vec<String> = crates
        .iter()
        .flat_map(|(name, items)| failures(name, items, found.remove(*name).unwrap_or_default()))
        .collect();
    assert!(found.is_empty(), "{found:?}");
    assert!(failures.is_empty(), "{} failures:\n\n{}", failures.len(), failures.join("\n\n"));
}

/// Lines of which rustc says more or less than they have mistakes.
fn failures(name: &str, items: &[(u64, Source)], mut found: BTreeMap<usize, Vec<String>>) -> Vec<String> {
    let mut failures = Vec::new();
    let mut line = HEAD.lines().count();
    for (seed, item) in items {
        line += 2;
        for mistakes in item.mistakes_by_line() {
            line += 1;
            let errors = found.remove(&line).unwrap_or_default();
            if errors.len() != mistakes {
                failures.push(format!(
                    "{name}.rs:{line} has {mistakes} mistakes, and these errors:\n{}\n{item}\
                     to repeat this: FUZZ_SEED={seed} FUZZ_ITEMS=1",
                    errors.join("\n"),
                ));
            }
        }
        line += 1;
    }
    assert!(found.is_empty(), "{name} has errors where there is nothing: {found:?}");
    failures
}
