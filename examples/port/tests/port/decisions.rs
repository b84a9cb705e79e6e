//! What is left to a person.

use super::support::Project;

#[test]
fn each_kind_of_field_that_cannot_be_shown_is_hidden_and_listed() {
    let project = Project::with_dependencies(
        "pyo3 = \">=0.28.3, <0.31\"\nrpds = \"1\"\n",
        "use pyo3::prelude::*;
use std::ptr::NonNull;
use std::sync::mpsc::Sender;

pub trait Listener: Send + Sync {}

#[pyclass(unsendable)]
pub struct Node {
    map: rpds::HashTrieMapSync<u8, u8>,
    /// Called.
    callback: Option<Box<dyn Fn() + Send + Sync>>,
    listener: Box<dyn Listener>,
    sender: Sender<Py<PyAny>>,
    error: PyErr,
    list: Own<Py<PyAny>>,
    pair: (rpds::List<u8>, rpds::Queue<u8>),
}

pub struct Own<T> {
    first: Option<NonNull<T>>,
    len: usize,
}

#[pyclass(unsendable)]
pub struct Tuple(rpds::List<Py<PyAny>>, u8);
",
    );
    let ran = project.ported();
    let text = project.read("src/lib.rs");
    let hidden: Vec<_> =
        text.lines().filter(|line| line.contains("hidden = \"port: ")).map(str::trim).collect();
    assert_eq!(
        hidden,
        [
            "#[pyo3_gc(hidden = \"port: HashTrieMap<u8, u8, ArcTK> is of another crate, and may own Python objects\")]",
            "#[pyo3_gc(hidden = \"port: a closure hides what it captures\")]",
            "#[pyo3_gc(hidden = \"port: dyn Listener may own Python objects\")]",
            "#[pyo3_gc(hidden = \"port: nothing can look into a channel, and what is sent through it may own Python objects\")]",
            "#[pyo3_gc(hidden = \"port: a PyErr hides its exception, and with it the traceback\")]",
            "#[pyo3_gc(hidden = \"port: List<u8> is of another crate, and may own Python objects\")]",
            "#[pyo3_gc(hidden = \"port: Option<NonNull<T>>: a raw pointer that may own Python objects\")]",
            "pub struct Tuple(#[pyo3_gc(hidden = \"port: List<Py<PyAny>> is of another crate, and may own Python objects\")] \
             rpds::List<Py<PyAny>>, u8);",
        ]
    );
    assert!(ran.stdout.contains("8 decisions left"), "{}", ran.stdout);
    // Each with the line that it has now.
    for decision in ran.stdout.lines().filter_map(|line| line.strip_prefix("  src/lib.rs:")) {
        let (line, what) = decision.split_once(": ").unwrap();
        let line: usize = line.parse().unwrap();
        let field = what.split(':').next().unwrap().split('.').next_back().unwrap();
        let found = text.lines().nth(line - 1).unwrap();
        assert!(found.contains(field) || found.contains("struct Tuple("), "{decision}\n{found}");
    }
    assert!(ran.stdout.contains("Errors: `PyGcErr` in the place of `PyErr`\n"), "{}", ran.stdout);
}

#[test]
fn an_arc_that_several_classes_hold_is_listed() {
    let project = Project::new(
        "use pyo3::prelude::*;\nuse std::sync::Arc;\n\npub struct Shared(Py<PyAny>);\n\n#[pyclass]\npub struct One(Arc<Shared>);\n\n\
         #[pyclass]\npub struct Two {\n    shared: Option<Arc<Shared>>,\n}\n\n#[pyclass]\npub struct Three(Arc<u8>, std::sync::Weak<Arc<Shared>>, Option<Py<Two>>);\n",
    );
    let ran = project.ported();
    assert!(ran.stdout.contains("One.0: holds an `Arc<Shared>`, as does `Two`"), "{}", ran.stdout);
    assert!(ran.stdout.contains("Two.shared: holds an `Arc<Shared>`, as does `One`"), "{}", ran.stdout);
    let text = project.read("src/lib.rs");
    assert!(
        text.contains("    // port: holds an `Arc<Shared>`, as does `One`\n    shared: Option"),
        "{text}"
    );
    assert!(text.contains("// port: holds an `Arc<Shared>`, as does `Two`\npub struct One("), "{text}");
    assert!(ran.stdout.contains("2 decisions left") && ran.stdout.contains("PyGcArc"), "{}", ran.stdout);
}

#[test]
fn the_summary_is_there_for_programs() {
    let project = Project::with_dependencies(
        "pyo3 = \">=0.28.3, <0.31\"\nrpds = \"1\"\n",
        "use pyo3::prelude::*;\n\n#[pyclass]\npub struct Node {\n    map: rpds::HashTrieMapSync<u8, u8>,\n}\n",
    );
    let ran = project.port(&["--yes", "--json"]);
    let summary: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((&summary["classes"], &summary["errors"]), (&1.into(), &0.into()));
    assert_eq!(project.check().class("Node"), ("undecided".to_owned(), vec![]));
    assert_eq!(summary["decisions"][0]["topic"], "foreign");
    assert_eq!(
        (&summary["decisions"][0]["file"], &summary["decisions"][0]["line"]),
        (&"src/lib.rs".into(), &6.into())
    );
}

#[test]
fn what_cannot_be_derived_is_an_error_that_is_left() {
    let project = Project::new(
        "use pyo3::prelude::*;\n\n#[repr(C, packed)]\npub struct Packed(u8, u32);\n\n#[pyclass]\npub struct Node(Packed, Option<Py<PyAny>>);\n",
    );
    let ran = project.port(&["--yes"]);
    assert_eq!(ran.status, 1, "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stderr.contains("can't be derived for a packed struct"), "{}", ran.stderr);
    assert!(ran.stdout.contains("1 error left for you"), "{}", ran.stdout);
}
