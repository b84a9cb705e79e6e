//! Projects in temporary folders, and the program on them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;
use tempfile::TempDir;

pub(crate) struct Project {
    folder: TempDir,
}

/// Cargo tells packages in one build folder by their names, not by where they are.
static NAMES: AtomicUsize = AtomicUsize::new(0);

/// What the program did.
pub(crate) struct Ran {
    pub(crate) status: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// The crate of this repository.
pub(crate) fn pyo3_gc() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../pyo3-gc").canonicalize().unwrap()
}

impl Project {
    /// A crate with PyO3, as most are before they know of pyo3-gc.
    pub(crate) fn new(lib: &str) -> Self {
        Self::with_dependencies("pyo3 = \">=0.28.3, <0.31\"\n", lib)
    }

    /// A crate with both.
    pub(crate) fn with_gc(lib: &str) -> Self {
        let dependencies =
            format!("pyo3 = \">=0.28.3, <0.31\"\npyo3-gc = {{ path = '{}' }}\n", pyo3_gc().display());
        Self::with_dependencies(&dependencies, lib)
    }

    pub(crate) fn with_dependencies(dependencies: &str, lib: &str) -> Self {
        let project = Self::empty();
        let number = NAMES.fetch_add(1, Ordering::SeqCst);
        project.write(
            "Cargo.toml",
            &format!(
                "[package]\nname = \"fixture-{number}\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[dependencies]\n{dependencies}\n[workspace]\n"
            ),
        );
        project.write("src/lib.rs", lib);
        project
    }

    pub(crate) fn empty() -> Self {
        Self { folder: TempDir::new().unwrap() }
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn write(&self, file: &str, text: &str) {
        let path = self.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(crate) fn read(&self, file: &str) -> String {
        fs::read_to_string(self.path().join(file)).unwrap()
    }

    /// Every file with its text, but for those in `.git`.
    pub(crate) fn tree(&self) -> BTreeMap<PathBuf, String> {
        let mut found = BTreeMap::new();
        let mut pending = vec![self.path().to_owned()];
        while let Some(folder) = pending.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.file_name().unwrap() == ".git" {
                    continue;
                }
                if path.is_dir() {
                    pending.push(path);
                } else {
                    let text = String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned();
                    found.insert(path.strip_prefix(self.path()).unwrap().to_owned(), text);
                }
            }
        }
        found
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pyo3-gc-port"));
        command.args(arguments).arg(self.path());
        // One for all, so that PyO3 is built once.
        command.env("CARGO_TARGET_DIR", concat!(env!("CARGO_TARGET_TMPDIR"), "/fixtures"));
        command.stdin(std::process::Stdio::null());
        ran(&command.output().unwrap())
    }

    /// As a repository with one commit.
    pub(crate) fn commit(&self) {
        for arguments in [
            &["init", "-q"][..],
            &["add", "-A"],
            &["-c", "user.name=name", "-c", "user.email=name@example.org", "commit", "-q", "-m", "first"],
        ] {
            let status = Command::new("git").current_dir(self.path()).args(arguments).status().unwrap();
            assert!(status.success());
        }
    }

    /// Ports it with the crate of this repository.
    pub(crate) fn port(&self, options: &[&str]) -> Ran {
        let gc = pyo3_gc().display().to_string();
        self.run(&[&["port", "--pyo3-gc", &gc], options].concat())
    }

    /// Ports it, and expects that it then compiles.
    #[track_caller]
    pub(crate) fn ported(&self) -> Ran {
        let ran = self.port(&["--yes"]);
        assert_eq!(ran.status, 0, "{}{}\n{}", ran.stdout, ran.stderr, self.read("src/lib.rs"));
        ran
    }

    pub(crate) fn check(&self) -> Report {
        let ran = self.run(&["check", "--json"]);
        assert!(ran.status < 2, "{}", ran.stderr);
        let report = serde_json::from_str(&ran.stdout).unwrap();
        Report { report, status: ran.status }
    }
}

pub(crate) fn ran(output: &Output) -> Ran {
    Ran {
        status: output.status.code().unwrap(),
        stdout: String::from_utf8(output.stdout.clone()).unwrap(),
        stderr: String::from_utf8(output.stderr.clone()).unwrap(),
    }
}

/// What `check --json` says.
pub(crate) struct Report {
    report: Value,
    pub(crate) status: i32,
}

impl Report {
    /// How a class stands, and the kinds of its findings with the words in backticks of each.
    pub(crate) fn class(&self, name: &str) -> (String, Vec<String>) {
        let classes = self.report["classes"].as_array().unwrap();
        let class = classes.iter().find(|class| class["name"] == name);
        let class = class.unwrap_or_else(|| panic!("no class {name} in {:#}", self.report));
        let kinds = class["findings"].as_array().unwrap().iter().map(|found| text(&found["kind"]));
        (text(&class["status"]), kinds.collect())
    }

    pub(crate) fn names(&self) -> Vec<String> {
        self.report["classes"].as_array().unwrap().iter().map(|class| text(&class["name"])).collect()
    }

    pub(crate) fn messages(&self) -> String {
        let classes = self.report["classes"].as_array().unwrap();
        let found = classes.iter().flat_map(|class| class["findings"].as_array().unwrap());
        found
            .chain(self.report["files"].as_array().unwrap())
            .map(|found| text(&found["message"]) + "\n")
            .collect()
    }

    /// `file:line` of each use of PyO3's attributes.
    pub(crate) fn files(&self) -> Vec<String> {
        let files = self.report["files"].as_array().unwrap().iter();
        files.map(|found| format!("{}:{}", text(&found["file"]), found["line"])).collect()
    }

    pub(crate) fn unseen(&self) -> Vec<String> {
        self.report["unseen"].as_array().unwrap().iter().map(|unseen| text(&unseen["what"])).collect()
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}
