//! What the compiler says to a mistake: one error for each, at its line, with a remedy.
//!
//! A line that has a mistake ends with `//~ mistake`. Every file in `ui/` has a twin in `pass/`, which compiles.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

const MARK: &str = "//~ mistake";

/// Without the features of `pyo3-gc`, whatever this test was built with: trybuild forwards those of a library only.
#[test]
fn ui() {
    let tests = trybuild::TestCases::new();
    for name in files("ui", "rs") {
        tests.compile_fail(format!("tests/ui/{name}.rs"));
    }
}

/// A test that is given no files passes.
#[test]
fn folders_are_not_empty() {
    assert!(files("ui", "rs").len() > 50);
    assert!(files("pass", "rs").len() > 50);
}

#[test]
fn every_mistake_has_a_twin() {
    let mistakes = files("ui", "rs");
    assert_eq!(mistakes, files("pass", "rs"));
    assert_eq!(mistakes, files("ui", "stderr"));
    // A twin that `pass/main.rs` doesn't name isn't compiled.
    let mut topic = "";
    let mut compiled = BTreeSet::new();
    for line in include_str!("../pass/main.rs").lines() {
        if let Some(name) = line.strip_prefix("mod ").and_then(|rest| rest.strip_suffix(" {")) {
            topic = name;
        } else if let Some(name) = line.strip_prefix("    mod ").and_then(|rest| rest.strip_suffix(';')) {
            compiled.insert(format!("{topic}/{name}"));
        }
    }
    assert_eq!(mistakes, compiled);
}

#[test]
fn every_mistake_is_one_error() {
    for name in files("ui", "rs") {
        let marks = read(&name, "rs").matches(MARK).count();
        let stderr = read(&name, "stderr");
        let errors: Vec<_> = stderr.split("\n\n").filter(|block| block.starts_with("error")).collect();
        assert!(marks > 0, "{name} marks no mistake");
        assert_eq!(errors.len(), marks, "{name} has {marks} mistakes, and these errors:\n{stderr}");
        for error in errors {
            assert!(
                error.contains(MARK),
                "{name}: this error doesn't show the line of the mistake:\n{error}"
            );
        }
        assert!(!stderr.contains("warning: "), "{name} warns as well:\n{stderr}");
    }
}

/// `topic/name` of every file in a folder of tests, without the extension.
fn files(folder: &str, extension: &str) -> BTreeSet<String> {
    let folder = Path::new("tests").join(folder);
    let topics = fs::read_dir(folder).unwrap().map(|topic| topic.unwrap().path());
    let paths = topics
        .filter(|topic| topic.is_dir())
        .flat_map(|topic| fs::read_dir(topic).unwrap().map(|file| file.unwrap().path()));
    paths
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .map(|path| {
            let topic = path.parent().and_then(Path::file_name).unwrap();
            format!("{}/{}", topic.to_str().unwrap(), path.file_stem().unwrap().to_str().unwrap())
        })
        .collect()
}

fn read(name: &str, extension: &str) -> String {
    fs::read_to_string(format!("tests/ui/{name}.{extension}")).unwrap()
}
