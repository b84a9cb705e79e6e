//! Hooks by hand.

use super::support::Project;

#[test]
fn hooks_that_only_visit_and_clear_go_with_their_imports_and_helpers() {
    let project = Project::new(
        "use pyo3::prelude::*;
use pyo3::{PyTraverseError, PyVisit};
use std::collections::HashMap;
use std::sync::Mutex;

/// A node.
#[pyclass]
struct Node {
    peer: Option<Py<PyAny>>,
    // All of them.
    others: HashMap<String, Vec<Py<PyAny>>>,
    locked: Mutex<Option<Py<PyAny>>>,
    count: usize,
}

#[pymethods]
impl Node {
    #[new]
    fn new() -> Self {
        Node { peer: None, others: HashMap::new(), locked: Mutex::new(None), count: 0 }
    }

    /// Documented.
    // Explained.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        if let Some(peer) = &self.peer {
            visit.call(peer)?;
        }
        self.visit_others(&visit)?;
        visit.call(&*self.locked.lock().unwrap())
    }

    fn __clear__(&mut self) {
        self.peer = None;
        self.others.clear();
        *self.locked.lock().unwrap() = None;
    }

    #[getter]
    fn count(&self) -> usize {
        self.count
    }
}

impl Node {
    fn visit_others(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        for other in self.others.values().flatten() {
            visit.call(other)?;
        }
        Ok(())
    }

    fn kept(&self) -> usize {
        self.others.len()
    }
}

#[pyfunction]
fn count(node: &Node) -> usize {
    node.kept()
}
",
    );
    let ran = project.ported();
    assert_eq!(
        project.read("src/lib.rs"),
        "use pyo3::prelude::*;
use pyo3_gc::{pyclass, pymethods};
use std::collections::HashMap;
use std::sync::Mutex;

/// A node.
#[pyclass]
struct Node {
    peer: Option<Py<PyAny>>,
    // All of them.
    others: HashMap<String, Vec<Py<PyAny>>>,
    locked: Mutex<Option<Py<PyAny>>>,
    count: usize,
}

#[pymethods]
impl Node {
    #[new]
    fn new() -> Self {
        Node { peer: None, others: HashMap::new(), locked: Mutex::new(None), count: 0 }
    }

    #[getter]
    fn count(&self) -> usize {
        self.count
    }
}

impl Node {
    fn kept(&self) -> usize {
        self.others.len()
    }
}

#[pyfunction]
fn count(node: &Node) -> usize {
    node.kept()
}
",
        "{}",
        ran.stderr
    );
    assert!(
        ran.stdout.ends_with("1 class, 0 types derived, +2 -24 lines, 1 round, 0 decisions left\n"),
        "{}",
        ran.stdout
    );
    assert_eq!(project.check().class("Node"), ("wired".to_owned(), vec![]));
}

/// A class whose hooks have something more in them: they stay, and a person is asked.
#[track_caller]
fn stays(traverse: &str, clear: &str, why: &str) {
    let project = Project::new(&format!(
        "use pyo3::prelude::*;\nuse pyo3::{{PyTraverseError, PyVisit}};\n\n#[pyclass]\nstruct Node {{\n    peer: Option<Py<PyAny>>,\n    \
         items: Vec<Py<PyAny>>,\n    len: usize,\n}}\n\n#[pymethods]\nimpl Node {{\n    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), \
         PyTraverseError> {{\n        {traverse}\n    }}\n\n    fn __clear__(&mut self) {{\n        {clear}\n    }}\n}}\n"
    ));
    let ran = project.ported();
    let text = project.read("src/lib.rs");
    assert!(text.contains("#[pyclass(gc = false)]\nstruct Node"), "{text}");
    assert!(text.contains(&format!("impl Node {{\n    // port: {why}")), "{text}");
    assert!(text.contains("fn __traverse__") && text.contains("fn __clear__"), "{text}");
    assert!(ran.stdout.contains("src/lib.rs:6: Node: ") && ran.stdout.contains(why), "{}", ran.stdout);
    assert!(ran.stdout.contains("1 decision left"), "{}", ran.stdout);
}

const TRAVERSE: &str = "visit.call(&self.peer)?; for item in &self.items { visit.call(item)?; } Ok(())";
const CLEAR: &str = "self.peer = None; self.items.clear();";

#[test]
fn hooks_that_do_more_stay() {
    stays(&format!("println!(\"visited\"); {TRAVERSE}"), CLEAR, "`__traverse__` calls `println!`");
    stays(TRAVERSE, &format!("{CLEAR} self.len = 0;"), "`__clear__` uses `len`, which owns nothing");
    stays(&format!("if self.len == 0 {{ return Ok(()); }} {TRAVERSE}"), CLEAR, "`__traverse__` uses `len`");
    stays(
        TRAVERSE,
        "self.items.sort_by_key(|item| item.as_ptr() as usize); self.items.clear();",
        "`__clear__` calls `sort_by_key`",
    );
}

#[test]
fn hooks_outside_of_pymethods_go_if_nobody_calls_them() {
    let project = Project::new(
        "use pyo3::prelude::*;
use pyo3::{PyTraverseError, PyVisit};

#[pyclass]
struct Node(Option<Py<PyAny>>);

#[pymethods]
impl Node {}

impl Node {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.0)
    }

    fn __clear__(&mut self) {
        self.0 = None;
    }
}
",
    );
    project.ported();
    assert_eq!(
        project.read("src/lib.rs"),
        "use pyo3::prelude::*;\nuse pyo3_gc::{pyclass, pymethods};\n\n#[pyclass]\nstruct Node(Option<Py<PyAny>>);\n\n#[pymethods]\nimpl Node {}\n"
    );
}

#[test]
fn hooks_in_a_macros_body_go_once_for_all_its_classes() {
    let project = Project::new(
        "use pyo3::prelude::*;

macro_rules! iterators {
    ($($name:ident: $ty:ty),+) => {
        $(
            #[pyclass]
            pub struct $name {
                items: $ty,
            }

            #[pymethods]
            impl $name {
                fn __traverse__(&self, visit: pyo3::PyVisit<'_>) -> Result<(), pyo3::PyTraverseError> {
                    self.items.iter().try_for_each(|item| visit.call(item))
                }

                fn __clear__(&mut self) {
                    self.items.clear();
                }
            }
        )+
    };
}

iterators!(Keys: Vec<Py<PyAny>>, Values: std::collections::VecDeque<Py<PyAny>>);
",
    );
    project.ported();
    let text = project.read("src/lib.rs");
    assert!(text.contains("            #[pyo3_gc::pymethods]\n            impl $name {}\n"), "{text}");
    assert!(text.contains("            #[pyo3_gc::pyclass]\n            pub struct $name {"), "{text}");
    let report = project.check();
    assert_eq!((report.class("Keys").0, report.class("Values").0), ("wired".to_owned(), "wired".to_owned()));
}

#[test]
fn a_helper_trait_goes_with_all_that_implements_it() {
    let project = Project::new(
        "mod gc;
mod two;
use crate::gc::PyGCProtocol;
use pyo3::prelude::*;
use pyo3::{PyTraverseError, PyVisit};

macro_rules! class {
    ($name:ident, $field:ident: $ty:ty) => {
        #[pyclass]
        pub struct $name {
            $field: $ty,
        }

        #[pymethods]
        impl $name {
            fn __traverse__(&self, vis: PyVisit<'_>) -> Result<(), PyTraverseError> {
                PyGCProtocol::__traverse__(self, vis)
            }

            fn __clear__(&mut self) {
                PyGCProtocol::__clear__(self)
            }
        }
    };
}

class!(Objects, objects: Vec<Py<PyAny>>);
class!(Numbers, numbers: Vec<u8>);

impl PyGCProtocol for Objects {
    fn __traverse__(&self, vis: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.objects.iter().try_for_each(|object| vis.call(object))
    }

    fn __clear__(&mut self) {
        self.objects = Vec::new();
    }
}

impl PyGCProtocol for Numbers {}
",
    );
    let definition = "use pyo3::{PyTraverseError, PyVisit};

/// Hooks.
pub(crate) trait PyGCProtocol {
    fn __traverse__(&self, _: PyVisit<'_>) -> Result<(), PyTraverseError> {
        Ok(())
    }

    fn __clear__(&mut self) {}
}

pub(crate) struct Other;
";
    project.write("src/gc.rs", definition);
    project.write("src/two.rs", "use crate::gc::{Other, PyGCProtocol};\n\npub(crate) fn other() -> Other {\n    Other\n}\n\nimpl PyGCProtocol for Other {}\n");
    let ran = project.ported();
    assert_eq!(project.read("src/gc.rs"), "pub(crate) struct Other;\n");
    assert_eq!(
        project.read("src/two.rs"),
        "use crate::gc::{Other};\n\npub(crate) fn other() -> Other {\n    Other\n}\n"
    );
    assert_eq!(
        project.read("src/lib.rs"),
        "mod gc;
mod two;
use pyo3::prelude::*;

macro_rules! class {
    ($name:ident, $field:ident: $ty:ty) => {
        #[pyo3_gc::pyclass]
        pub struct $name {
            $field: $ty,
        }

        #[pyo3_gc::pymethods]
        impl $name {}
    };
}

class!(Objects, objects: Vec<Py<PyAny>>);
class!(Numbers, numbers: Vec<u8>);
"
    );
    assert!(ran.stdout.contains("0 decisions left"), "{}", ran.stdout);
}
