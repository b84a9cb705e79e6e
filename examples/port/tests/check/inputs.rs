//! What can't be checked, and what comes out.

use super::support::Project;

/// Status 2, an error that has these words, and nothing changed.
#[track_caller]
fn is_refused(project: &Project, words: &[&str]) {
    let before = project.tree();
    let ran = project.run(&["check"]);
    assert_eq!(ran.status, 2, "{}", ran.stdout);
    assert!(ran.stdout.is_empty());
    for word in words {
        assert!(ran.stderr.contains(word), "{word}: {}", ran.stderr);
    }
    assert_eq!(project.tree(), before);
}

#[test]
fn a_folder_without_cargo_toml_is_refused() {
    is_refused(&Project::empty(), &["there is no Cargo.toml in"]);
}

#[test]
fn a_crate_without_pyo3_is_refused() {
    is_refused(&Project::with_dependencies("", ""), &["no crate here depends on PyO3"]);
}

#[test]
fn an_older_pyo3_is_refused() {
    let project = Project::with_dependencies("pyo3 = \"=0.27.2\"\n", "");
    is_refused(&project, &["builds with PyO3 0.27.2", "0.28.3 to 0.30"]);
}

#[test]
fn a_file_that_is_no_rust_is_refused_with_its_place() {
    is_refused(&Project::new("mod bad;\nfn ok() {}\n"), &["src/lib.rs:1: there is no file for `mod bad`"]);
    let project = Project::new("mod bad;\n");
    project.write("src/bad.rs", "fn ok() {}\nstruct struct;\n");
    is_refused(&project, &["src/bad.rs:2:8: can't be read as Rust"]);
    project.write("src/bad.rs", "fn open( {\n");
    is_refused(&project, &["src/bad.rs:1:", "can't be read as Rust"]);
}

#[test]
fn a_manifest_that_cargo_cannot_read_is_refused() {
    let project = Project::empty();
    project.write("Cargo.toml", "[package\n");
    is_refused(&project, &["cargo can't read the project"]);
}

#[test]
fn a_path_that_is_not_there_is_refused() {
    let project = Project::empty();
    std::fs::remove_dir(project.path()).unwrap();
    let ran = project.run(&["check"]);
    assert_eq!(ran.status, 2);
    assert!(ran.stderr.contains("there is no "), "{}", ran.stderr);
    std::fs::create_dir(project.path()).unwrap();
}

#[test]
fn checking_leaves_the_tree_as_it_was() {
    let project = Project::new("use pyo3::prelude::*; #[pyclass] struct Node(Py<PyAny>);");
    let before = project.tree();
    let ran = project.run(&["check"]);
    assert_eq!(ran.status, 1);
    assert_eq!(project.tree(), before);
    project.write("Cargo.lock", "");
    project.run(&["check"]);
    assert_eq!(project.read("Cargo.lock"), "");
}

#[test]
fn the_table_has_each_class_and_each_finding() {
    let project = Project::new(
        "use pyo3::prelude::*;\n#[pyclass]\nstruct Node(Py<PyAny>);\n#[pyclass]\nstruct Plain(u8);\n",
    );
    assert_eq!(
        project.run(&["check"]).stdout,
        "class  place         how it stands\n\
         Node   src/lib.rs:3  no hooks\n\
         Plain  src/lib.rs:5  needs no hooks\n\
         \n\
         src/lib.rs:3: Node owns Python references (`0`) and has no hooks: a cycle through it leaks\n\
         \n\
         2 classes, 1 finding\n"
    );
}

#[test]
fn the_exit_statuses_are_documented() {
    for arguments in [&["--help"][..], &["check", "--help"]] {
        let output =
            std::process::Command::new(env!("CARGO_BIN_EXE_pyo3-gc-port")).args(arguments).output().unwrap();
        assert!(String::from_utf8(output.stdout).unwrap().contains("Exit status:"));
    }
    let project = Project::empty();
    assert_eq!(project.run(&["check", "--no-such-option"]).status, 2);
}

#[test]
fn an_optional_pyo3_is_found() {
    let project = Project::with_dependencies(
        "pyo3 = { version = \">=0.28.3, <0.31\", optional = true }\n",
        "#[cfg_attr(feature = \"pyo3\", pyo3::pyclass)]\npub struct Node(#[cfg(feature = \"pyo3\")] pyo3::Py<pyo3::PyAny>);\n",
    );
    assert_eq!(project.check().class("Node").0, "no-hooks");
}
