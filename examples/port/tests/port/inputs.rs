//! What isn't touched.

use super::support::Project;

const CLASS: &str = "use pyo3::prelude::*;\n\n#[pyclass]\npub struct Node(Option<Py<PyAny>>);\n";

/// Status 2, an error that has these words, and nothing changed.
#[track_caller]
fn is_refused(project: &Project, options: &[&str], words: &[&str]) {
    let before = project.tree();
    let ran = project.port(options);
    assert_eq!(ran.status, 2, "{}{}", ran.stdout, ran.stderr);
    for word in words {
        assert!(ran.stderr.contains(word), "{word}: {}", ran.stderr);
    }
    assert_eq!(project.tree(), before);
}

#[test]
fn projects_that_cannot_be_read_are_refused() {
    is_refused(&Project::empty(), &["--yes"], &["there is no Cargo.toml in"]);
    is_refused(&Project::with_dependencies("", ""), &["--yes"], &["no crate here depends on PyO3"]);
    let old = Project::with_dependencies("pyo3 = \"=0.27.2\"\n", "");
    is_refused(&old, &["--yes"], &["builds with PyO3 0.27.2"]);
    is_refused(&Project::new("struct struct;"), &["--yes"], &["src/lib.rs:1:8: can't be read as Rust"]);
}

#[test]
fn sources_that_do_not_compile_are_refused() {
    let project = Project::new("pub fn wrong() -> u8 {\n    \"no number\"\n}\n");
    is_refused(
        &project,
        &["--yes"],
        &["doesn't compile as it is; nothing was changed", "mismatched types", "src/lib.rs:2"],
    );
}

#[test]
fn a_tree_that_git_cannot_restore_is_asked_for() {
    let project = Project::new(CLASS);
    is_refused(&project, &[], &["is in no git repository: commit first, or pass `--yes`"]);
    project.commit();
    project.write("src/lib.rs", &format!("{CLASS}// changed\n"));
    is_refused(&project, &[], &["has uncommitted changes (src/lib.rs): commit first, or pass `--yes`"]);
    project.write("src/lib.rs", CLASS);
    project.write("src/new.rs", "");
    is_refused(&project, &[], &["has uncommitted changes (src/new.rs)"]);
    std::fs::remove_file(project.path().join("src/new.rs")).unwrap();
    project.write("notes.txt", "");
    let ran = project.port(&[]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
}

#[test]
fn a_pyo3_gc_that_cannot_be_had_is_refused() {
    let project = Project::new(CLASS);
    let before = project.tree();
    for (origin, words) in [
        ("99.0", "`--pyo3-gc` takes its version or its folder"),
        ("no/such/folder", "there is no no/such/folder"),
        (env!("CARGO_MANIFEST_DIR"), "neither a version nor the folder of pyo3-gc"),
    ] {
        let ran = project.run(&["port", "--yes", "--pyo3-gc", origin]);
        assert_eq!(ran.status, 2, "{}", ran.stdout);
        assert!(ran.stderr.contains(words), "{}", ran.stderr);
        // The build before it has left its lock file, as any build does.
        let mut after = project.tree();
        after.remove(std::path::Path::new("Cargo.lock"));
        assert_eq!(after, before);
    }
}

#[test]
fn a_dry_run_shows_the_changes_and_makes_none() {
    let project = Project::new(CLASS);
    project.write("Cargo.lock", "");
    let before = project.tree();
    let ran = project.port(&["--dry-run"]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert_eq!(project.tree(), before);
    assert!(ran.stdout.contains("--- a/src/lib.rs\n+++ b/src/lib.rs\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains("+use pyo3_gc::pyclass;\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains("+#[pyo3_gc::pymethods]\n+impl Node {}\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains("+pyo3-gc = { path = "), "{}", ran.stdout);
}

#[cfg(unix)]
#[test]
fn an_interrupted_port_says_how_to_undo_it() {
    use std::io::{BufRead, BufReader, Read};
    use std::process::{Command, Stdio};

    let project = Project::new(CLASS);
    // A build that takes long, once the sources are changed.
    project.write("build.rs", "fn main() {\n    println!(\"cargo:rerun-if-changed=src/lib.rs\");\n    let text = std::fs::read_to_string(\"src/lib.rs\").unwrap();\n    \
         if text.contains(\"pyo3_gc\") {\n        std::thread::sleep(std::time::Duration::from_secs(100));\n    }\n}\n");
    project.commit();
    let gc = super::support::pyo3_gc();
    let mut child = Command::new(env!("CARGO_BIN_EXE_pyo3-gc-port"))
        .args(["port", "--pyo3-gc"])
        .args([gc.as_path(), project.path()])
        .env("CARGO_TARGET_DIR", project.path().join("target"))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    while !line.starts_with("imports") {
        line.clear();
        assert!(stderr.read_line(&mut line).unwrap() > 0);
    }
    // Until it has been written.
    while !project.read("src/lib.rs").contains("pyo3_gc") {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let mut rest = String::new();
    stderr.read_to_string(&mut rest).unwrap();
    assert!(rest.contains("files are changed so far: `git -C"), "{rest}");
    let restored =
        Command::new("git").current_dir(project.path()).args(["checkout", "-q", "--", "."]).status();
    assert!(restored.unwrap().success());
    assert_eq!(project.read("src/lib.rs"), CLASS);
}
