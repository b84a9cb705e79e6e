//! The derive on a crate's own types.

use super::support::Project;

#[test]
fn own_types_are_derived_as_far_as_they_are_needed() {
    let project = Project::new(
        "use pyo3::prelude::*;
use std::collections::HashMap;

mod inner {
    /// Documented.
    #[derive(Debug)]
    #[allow(dead_code)]
    pub(crate) enum Deep {
        A(pyo3::Py<pyo3::PyAny>),
        B,
    }

    pub(crate) struct Generic<T>(pub(crate) Vec<T>);

    #[allow(dead_code)]
    pub(crate) struct NotNeeded(pub(crate) Deep);
}

pub struct Settings {
    depth: u32,
}

type Deeps = inner::Generic<inner::Deep>;

#[pyclass]
pub struct Node {
    deep: HashMap<String, Option<Box<inner::Deep>>>,
    generic: Deeps,
    settings: Settings,
}

#[pymethods]
impl Node {
    fn all(&self) -> usize {
        self.deep.len() + self.generic.0.len() + self.settings.depth as usize
    }
}
",
    );
    let ran = project.ported();
    let text = project.read("src/lib.rs");
    assert!(
        text.contains(
            "    #[allow(dead_code)]\n    #[derive(pyo3_gc::PyGcTraversable)]\n    pub(crate) enum Deep {"
        ),
        "{text}"
    );
    assert!(
        text.contains("    #[derive(pyo3_gc::PyGcTraversable)]\n    pub(crate) struct Generic<T>"),
        "{text}"
    );
    assert!(text.contains("#[derive(pyo3_gc::PyGcTraversable)]\npub struct Settings {"), "{text}");
    assert!(text.contains("    #[allow(dead_code)]\n    pub(crate) struct NotNeeded"), "{text}");
    assert!(ran.stdout.contains("1 class, 3 types derived"), "{}", ran.stdout);
}

#[test]
fn types_that_name_each_other_are_marked() {
    let project = Project::new(
        "use pyo3::prelude::*;

pub struct Folder {
    entries: Vec<Entry>,
}

pub enum Entry {
    File(Py<PyAny>),
    Folder(Folder),
    Link(Box<Link>),
    Other(Other),
}

pub struct Link {
    to: Entry,
}

pub struct Other {
    entry: Option<Box<Entry>>,
    number: u8,
}

type Next = Option<Box<Chain>>;

pub struct Chain {
    next: Next,
    object: Option<Py<PyAny>>,
}

#[pyclass]
pub struct Tree {
    root: Folder,
    chain: Chain,
}

#[pymethods]
impl Tree {}
",
    );
    project.ported();
    let text = project.read("src/lib.rs");
    assert_eq!(text.matches("pyo3_gc(recursive)").count(), 2, "{text}");
    assert!(
        text.contains("#[derive(pyo3_gc::PyGcTraversable)]\n#[pyo3_gc(recursive)]\npub enum Entry"),
        "{text}"
    );
    assert!(text.contains("    #[pyo3_gc(recursive)]\n    next: Next,"), "{text}");
}

#[test]
fn types_of_another_member_of_the_workspace_are_derived_there() {
    let project = Project::empty();
    project.write("Cargo.toml", "[workspace]\nmembers = [\"types\", \"python\"]\nresolver = \"2\"\n\n[workspace.dependencies]\npyo3 = \">=0.28.3, <0.31\"\n");
    let manifest = |name: &str, more: &str| {
        format!(
            "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[dependencies]\npyo3 = {{ workspace = true }}\n{more}"
        )
    };
    project.write("types/Cargo.toml", &manifest("types", ""));
    project.write("types/src/lib.rs", "use pyo3::prelude::*;\n\npub struct Item(pub Py<PyAny>);\n");
    project.write("python/Cargo.toml", &manifest("python", "types = { path = \"../types\" }\n"));
    project.write(
        "python/src/lib.rs",
        "use pyo3::prelude::*;\n\n#[pyclass]\npub struct Items(Vec<types::Item>);\n",
    );
    let ran = project.port(&["--yes"]);
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
    assert_eq!(
        project.read("types/src/lib.rs"),
        "use pyo3::prelude::*;\n\n#[derive(pyo3_gc::PyGcTraversable)]\npub struct Item(pub Py<PyAny>);\n"
    );
    assert_eq!(
        project.read("python/src/lib.rs"),
        "use pyo3::prelude::*;\nuse pyo3_gc::pyclass;\n\n#[pyclass]\npub struct Items(Vec<types::Item>);\n\n#[pyo3_gc::pymethods]\nimpl Items {}\n"
    );
}

#[test]
fn a_path_dependency_of_the_same_repository_is_ported_too() {
    let project = Project::empty();
    let manifest = |name: &str, more: &str| {
        format!(
            "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[dependencies]\npyo3 = \">=0.28.3, <0.31\"\n{more}"
        )
    };
    project.write("core/Cargo.toml", &manifest("path-core", ""));
    project.write(
        "core/src/lib.rs",
        "use pyo3::prelude::*;\n\npub struct Item(pub Py<PyAny>, Option<Box<Back>>);\n\nstruct Back(Item);\n\n#[pyclass]\npub struct Core(Option<Py<PyAny>>);\n",
    );
    project.write("python/Cargo.toml", &manifest("path-python", "path-core = { path = \"../core\" }\n"));
    project.write(
        "python/src/lib.rs",
        "use pyo3::prelude::*;\n\n#[pyclass]\npub struct Items(Vec<path_core::Item>);\n",
    );
    project.commit();
    let gc = super::support::pyo3_gc().display().to_string();
    let run = |options: &[&str]| {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_pyo3-gc-port"))
            .args(["port", "--pyo3-gc", &gc])
            .args(options)
            .arg(project.path().join("python"))
            .env("CARGO_TARGET_DIR", concat!(env!("CARGO_TARGET_TMPDIR"), "/fixtures"))
            .stdin(std::process::Stdio::null())
            .output();
        super::support::ran(&output.unwrap())
    };
    let before = project.tree();
    let dry = run(&["--dry-run"]);
    assert_eq!(dry.status, 0, "{}{}", dry.stdout, dry.stderr);
    assert!(dry.stdout.contains("+++ b/core/src/lib.rs"), "{}", dry.stdout);
    let mut after = project.tree();
    after.retain(|path, _| path.file_name().unwrap() != "Cargo.lock");
    assert_eq!(after, before);
    let ran = run(&["--yes"]);
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
    assert_eq!(
        project.read("core/src/lib.rs"),
        "use pyo3::prelude::*;\nuse pyo3_gc::pyclass;\n\n#[derive(pyo3_gc::PyGcTraversable)]\n\
         pub struct Item(pub Py<PyAny>, #[pyo3_gc(recursive)] Option<Box<Back>>);\n\n#[derive(pyo3_gc::PyGcTraversable)]\nstruct Back(Item);\n\n\
         #[pyclass]\npub struct Core(Option<Py<PyAny>>);\n\n#[pyo3_gc::pymethods]\nimpl Core {}\n"
    );
    assert!(project.read("python/src/lib.rs").contains("impl Items {}"));
    assert!(
        ran.stdout.contains("2 classes, 2 types derived") && ran.stdout.contains("0 decisions left"),
        "{}",
        ran.stdout
    );
}
