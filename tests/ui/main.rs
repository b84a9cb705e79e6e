//! What the compiler says to a mistake: one error for each, at its line, with a remedy.
//!
//! A case is `<topic>/<mistake>.rs`, with what the pinned release of rustc says in `<mistake>.stderr`:
//!
//! ```text
//! #[pyo3(gc = "false")] //~ mistake
//! handle: RawHandle,
//! …
//! //~ fix: "false" => false
//! ```
//!
//! - A line that has a mistake ends with `//~ mistake`. Each has one error.
//! - The lines at the end of the file say how to put it right: a text, which stands in the file once, and what to write in
//!   its place, which may be nothing. All of them together make the case compile, without a warning.

mod case;
#[path = "../support/project.rs"]
mod project;
mod rustc;

use std::env;
use std::fmt::Write;
use std::process::Command;

use case::{Case, cases};
use project::Project;

/// The release whose texts the `.stderr` files have. What others say may differ in words.
const PINNED: &str = "1.95.0";

fn is_pinned() -> bool {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("--version").output().unwrap();
    String::from_utf8(output.stdout).unwrap().split(' ').nth(1) == Some(PINNED)
}

/// On the pinned release all that it says, elsewhere as many errors on the same lines. Without the features of `pyo3-gc`,
/// whatever this test was built with: trybuild forwards those of a library only.
#[test]
fn ui() {
    if is_pinned() {
        let tests = trybuild::TestCases::new();
        for case in cases() {
            tests.compile_fail(case.path("rs"));
        }
    } else {
        has_an_error_for_each_mistake(&cases());
    }
}

/// A crate for each case, since rustc stops after a phase that finds errors.
fn has_an_error_for_each_mistake(cases: &[Case]) {
    let mut project = Project::new("mistakes", "");
    for case in cases {
        project.add(&case.crate_name(), &case.text);
    }
    let mut found = project.build();
    assert_all_right(cases.iter().filter_map(|case| {
        let errors = found.remove(&case.crate_name()).unwrap_or_default();
        case.faults(errors.values().flatten().map(String::as_str))
    }));
}

#[test]
fn every_mistake_is_one_error() {
    assert_all_right(cases().iter().filter_map(|case| case.faults(case.stderr.split("\n\n"))));
}

fn assert_all_right(faults: impl Iterator<Item = String>) {
    let faults: Vec<String> = faults.collect();
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}

/// A module for each.
#[test]
fn every_case_compiles_once_it_is_put_right() {
    let mut library = String::from("#![allow(dead_code, unused_imports)]\n");
    let mut last_lines = Vec::new();
    for case in cases() {
        writeln!(library, "mod {} {{\n{}\n}}", case.crate_name(), case.put_right()).unwrap();
        last_lines.push((library.lines().count(), case.name));
    }
    let found = Project::new("put_right", &library).build();
    assert_all_right(found.into_values().flatten().map(|(line, said)| {
        let case = &last_lines[last_lines.partition_point(|(last, _)| *last < line)].1;
        format!("{case}, put right:\n{}", said.join("\n"))
    }));
}
