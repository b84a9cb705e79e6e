//! A package of generated crates, built by cargo with the versions and the build output that the tests themselves have.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use serde_json::Value;

use super::Source;

/// A package of its own, in the folder that cargo keeps for tests.
pub(crate) struct Project {
    folder: PathBuf,
    manifest: String,
    /// What each crate is made of.
    crates: BTreeMap<String, Vec<(u64, Source)>>,
}

/// An error or a warning of rustc.
struct Diagnostic {
    /// The line that it points at, counted from 1.
    line: Option<usize>,
    rendered: String,
}

impl Project {
    pub(crate) fn new(name: &str) -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(&folder).unwrap();
        fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock")).unwrap();
        // With PyO3's features as the tests have them, so that it isn't built once more.
        let manifest = format!(
            r#"
[workspace]

[package]
name = "fuzzed"
version = "0.0.0"
edition = "2024"

[lib]
path = {prelude:?}

[dependencies]
pyo3 = {{ version = "*", default-features = false, features = ["macros", "auto-initialize"] }}
pyo3-gc = {{ path = {runtime:?} }}
"#,
            prelude = root.join("tests/fuzz/generate/prelude.rs").to_str().unwrap(),
            runtime = root.join("pyo3-gc").to_str().unwrap(),
        );
        Self { folder, manifest, crates: BTreeMap::new() }
    }

    /// One crate with a module for each item, which is known by its seed.
    pub(crate) fn add(&mut self, name: &str, items: Vec<(u64, Source)>) {
        let mut text = HEAD.to_owned();
        for (seed, item) in &items {
            writeln!(text, "mod seed_{seed} {{\nuse fuzzed::prelude::*;\n{item}}}").unwrap();
        }
        let path = format!("{name}.rs");
        fs::write(self.folder.join(&path), text).unwrap();
        writeln!(self.manifest, "\n[[example]]\nname = {name:?}\npath = {path:?}\ncrate-type = [\"lib\"]")
            .unwrap();
        self.crates.insert(name.into(), items);
    }

    /// Builds all crates. Each line with mistakes must have as many errors, and no other line any, nor a warning.
    pub(crate) fn check(&self) {
        let diagnostics = self.build();
        let mut failures = Vec::new();
        for (name, items) in &self.crates {
            let mut found: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
            for Diagnostic { line, rendered } in diagnostics.get(name).into_iter().flatten() {
                let line = line.unwrap_or_else(|| panic!("{name}: an error without a place:\n{rendered}"));
                found.entry(line).or_default().push(rendered);
            }
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
        }
        assert!(failures.is_empty(), "{} failures:\n\n{}", failures.len(), failures.join("\n\n"));
    }

    /// What rustc says of each crate.
    fn build(&self) -> BTreeMap<String, Vec<Diagnostic>> {
        fs::write(self.folder.join("Cargo.toml"), &self.manifest).unwrap();
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
        let output = Command::new(env::var_os("CARGO").unwrap())
            .args([
                "build",
                "--examples",
                "--keep-going",
                "--offline",
                "--message-format=json",
                "--target-dir",
            ])
            .arg(target)
            .current_dir(&self.folder)
            .output()
            .unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        let expected = self.crates.values().flatten().map(|(_, item)| item.mistakes()).sum::<usize>();
        assert_eq!(output.status.success(), expected == 0, "{stderr}");

        let mut found: BTreeMap<String, Vec<Diagnostic>> = BTreeMap::new();
        for line in output.stdout.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            let message: Value = serde_json::from_slice(line).unwrap();
            if message["reason"] != "compiler-message" {
                continue;
            }
            let name = message["target"]["name"].as_str().unwrap();
            let message = &message["message"];
            let rendered = message["rendered"].as_str().unwrap_or_default();
            // The sum at the end.
            let is_sum = rendered.starts_with("error: aborting due to")
                || rendered.starts_with("Some errors have")
                || rendered.starts_with("For more information");
            if !is_sum {
                assert!(self.crates.contains_key(name), "the build itself fails:\n{rendered}");
                let spans = message["spans"].as_array().unwrap();
                let mut place = spans.iter().find(|span| span["is_primary"] == true);
                // Inside of a macro of std: where that is called.
                while place.is_some_and(|span| span["file_name"] != format!("{name}.rs")) {
                    place = place.and_then(|span| span["expansion"].get("span"));
                }
                let line = place.and_then(|span| usize::try_from(span["line_start"].as_u64()?).ok());
                // With incremental compilation rustc says the same once a method of the derive: a place belongs to a
                // function there. Cargo shows people what is the same once, as editors do.
                let found = found.entry(name.into()).or_default();
                if found.iter().all(|diagnostic| diagnostic.rendered != rendered) {
                    found.push(Diagnostic { line, rendered: rendered.into() });
                }
            }
        }
        found
    }
}

const HEAD: &str = "\
#![forbid(unsafe_code)]
#![warn(warnings)]
#![allow(dead_code, non_camel_case_types, unused_braces, unused_imports, unused_parens)]
extern crate fuzzed;
";
