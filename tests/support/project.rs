//! A package of generated crates, built by cargo with the versions and the build output that the tests themselves have.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use serde_json::Value;

/// A package of its own, in the folder that cargo keeps for tests.
pub(crate) struct Project {
    name: &'static str,
    folder: PathBuf,
    manifest: String,
    crates: BTreeSet<String>,
}

/// What rustc says of a crate, as a person sees it: of the lines of its source, counted from 1.
pub(crate) type Diagnostics = BTreeMap<usize, Vec<String>>;

impl Project {
    /// With this library, which the other crates can use by `name`.
    pub(crate) fn new(name: &'static str, library: &str) -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(&folder).unwrap();
        fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock")).unwrap();
        fs::write(folder.join("lib.rs"), library).unwrap();
        // With PyO3's features as the tests have them, so that it isn't built once more.
        let manifest = format!(
            r#"
[workspace]

[package]
name = {name:?}
version = "0.0.0"
edition = "2024"

[lib]
path = "lib.rs"

[dependencies]
pyo3 = {{ version = "*", default-features = false, features = ["macros", "auto-initialize"] }}
pyo3-gc = {{ path = {runtime:?} }}
"#,
            runtime = root.join("pyo3-gc").to_str().unwrap(),
        );
        Self { name, folder, manifest, crates: BTreeSet::from([name.into()]) }
    }

    /// One more crate.
    pub(crate) fn add(&mut self, name: &str, source: &str) {
        let path = format!("{name}.rs");
        fs::write(self.folder.join(&path), source).unwrap();
        writeln!(self.manifest, "\n[[example]]\nname = {name:?}\npath = {path:?}\ncrate-type = [\"lib\"]")
            .unwrap();
        self.crates.insert(name.into());
    }

    /// Builds all crates. Returns what rustc says of each, if anything.
    pub(crate) fn build(&self) -> BTreeMap<String, Diagnostics> {
        fs::write(self.folder.join("Cargo.toml"), &self.manifest).unwrap();
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
        let output = Command::new(env::var_os("CARGO").unwrap())
            .args(["build", "--lib", "--examples", "--keep-going", "--offline", "--message-format=json"])
            .arg("--target-dir")
            .arg(target)
            .current_dir(&self.folder)
            .output()
            .unwrap();
        let mut found: BTreeMap<String, Diagnostics> = BTreeMap::new();
        for line in output.stdout.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            let message: Value = serde_json::from_slice(line).unwrap();
            if message["reason"] == "compiler-message" {
                let name = message["target"]["name"].as_str().unwrap();
                self.record(&message["message"], name, found.entry(name.into()).or_default());
            }
        }
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.success(), found.values().all(only_warnings), "{stderr}");
        found
    }

    fn record(&self, message: &Value, name: &str, found: &mut Diagnostics) {
        let rendered = message["rendered"].as_str().unwrap_or_default();
        // The sum at the end.
        if rendered.starts_with("error: aborting due to")
            || rendered.starts_with("Some errors have")
            || rendered.starts_with("For more information")
        {
            return;
        }
        assert!(self.crates.contains(name), "the build itself fails:\n{rendered}");
        let file = if name == self.name { "lib.rs" } else { &format!("{name}.rs") };
        let spans = message["spans"].as_array().unwrap();
        let mut place = spans.iter().find(|span| span["is_primary"] == true);
        // Inside of a macro of another crate: where that is called.
        while place.is_some_and(|span| span["file_name"] != file) {
            place = place.and_then(|span| span["expansion"].get("span"));
        }
        let line = place.and_then(|span| usize::try_from(span["line_start"].as_u64()?).ok());
        let line = line.unwrap_or_else(|| panic!("{name}: an error without a place:\n{rendered}"));
        // With incremental compilation rustc says the same once a method of the derive: a place belongs to a function
        // there. Cargo shows people what is the same once, as editors do.
        let found = found.entry(line).or_default();
        if !found.iter().any(|other| other == rendered) {
            found.push(rendered.into());
        }
    }
}

fn only_warnings(diagnostics: &Diagnostics) -> bool {
    diagnostics.values().flatten().all(|rendered| rendered.starts_with("warning"))
}
