//! Which classes own Python objects, and whether they have hooks.

use super::support::Project;

fn stands(project: &Project, name: &str) -> (String, Vec<String>) {
    project.check().class(name)
}

#[track_caller]
fn owns(declarations: &str, field: &str, status: &str) {
    let lib = format!(
        "#![allow(dead_code)]\nuse pyo3::prelude::*;\n{declarations}\n#[pyclass]\nstruct Class {{ field: {field} }}\n"
    );
    assert_eq!(stands(&Project::new(&lib), "Class").0, status, "{declarations} {field}");
}

#[test]
fn references_are_found_through_containers_and_types() {
    for field in [
        "Py<PyAny>",
        "Option<Vec<Py<PyAny>>>",
        "PyErr",
        "std::sync::Mutex<Option<PyObject>>",
        "(u8, [Py<PyAny>; 2])",
    ] {
        owns("", field, "no-hooks");
    }
    owns("struct Inner { deep: Deep } enum Deep { A, B(Box<Py<PyAny>>) }", "Vec<Inner>", "no-hooks");
    owns("type Object = Py<PyAny>; mod m { pub use super::Object as Other; }", "m::Other", "no-hooks");
    owns(
        "struct Tree { kids: Vec<Tree>, up: Loop } struct Loop { tree: Option<Box<Tree>>, object: Py<PyAny> }",
        "Tree",
        "no-hooks",
    );
    owns("struct Own<A, B>(A, std::marker::PhantomData<B>);", "Own<Py<PyAny>, u8>", "no-hooks");
}

#[test]
fn what_owns_nothing_needs_no_hooks() {
    for field in [
        "u8",
        "String",
        "Vec<(usize, f64)>",
        "std::sync::Weak<Py<PyAny>>",
        "*mut Py<PyAny>",
        "&'static Py<PyAny>",
        "fn(Py<PyAny>)",
    ] {
        owns("", field, "needs-none");
    }
    owns("struct Tree { kids: Vec<Tree> }", "Tree", "needs-none");
    owns("struct Own<A, B>(A, std::marker::PhantomData<B>);", "Own<u8, Py<PyAny>>", "needs-none");
    owns("struct Py2; struct Bound; ", "Bound", "needs-none");
}

#[test]
fn what_cannot_be_looked_into_is_said() {
    for field in ["Box<dyn Fn() + Send + Sync>", "foreign::Client"] {
        owns("", field, "unknown");
    }
    owns("", "foreign::Map<u8, Py<PyAny>>", "no-hooks");
}

#[test]
fn enums_and_classes_in_functions_are_classes() {
    let project = Project::new(
        "use pyo3::prelude::*;\n\
         #[pyclass] enum Shape { Circle { of: Py<PyAny> }, Point() }\n\
         #[pyclass] #[derive(PartialEq)] enum Plain { A, B }\n\
         fn main() { #[pyclass] struct Local(Py<PyAny>); }\n",
    );
    let report = project.check();
    assert_eq!(report.names(), ["Shape", "Plain", "Local"]);
    assert_eq!(report.class("Shape").0, "no-hooks");
    assert_eq!(report.class("Plain").0, "needs-none");
    assert_eq!(report.class("Local"), ("no-hooks".to_owned(), vec!["no-hooks".to_owned()]));
    assert_eq!(report.status, 1);
}

#[test]
fn modules_are_followed_to_their_files() {
    let project = Project::new(
        "mod a; mod b { pub mod inner; } #[path = \"other/name.rs\"] mod c; #[cfg(any())] mod gone;",
    );
    let class = |name: &str| format!("use pyo3::prelude::*; #[pyclass] struct {name}(Py<PyAny>);");
    project.write("src/a.rs", &(class("A") + "mod deep;"));
    project.write("src/a/deep.rs", &class("Deep"));
    project.write("src/b/inner/mod.rs", &class("Inner"));
    project.write("src/other/name.rs", &class("C"));
    project.write("src/not_named.rs", &class("NotNamed"));
    let mut names = project.check().names();
    names.sort();
    assert_eq!(names, ["A", "C", "Deep", "Inner"]);
}

#[test]
fn programs_and_libraries_of_a_workspace_are_read() {
    let project = Project::empty();
    project.write("Cargo.toml", "[workspace]\nmembers = [\"one\", \"two\", \"none\"]\nresolver = \"2\"\n");
    for (name, dependencies) in [("one", "pyo3 = \"0.29\""), ("two", "pyo3 = \"0.29\""), ("none", "")] {
        let manifest = format!(
            "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[dependencies]\n{dependencies}\n"
        );
        project.write(&format!("{name}/Cargo.toml"), &manifest);
    }
    project.write("one/src/lib.rs", "use pyo3::prelude::*; #[pyclass] struct Lib(Py<PyAny>);");
    project
        .write("two/src/main.rs", "use pyo3::prelude::*; #[pyclass] struct Program(Py<PyAny>); fn main() {}");
    project.write("none/src/lib.rs", "");
    assert_eq!(project.check().names(), ["Lib", "Program"]);
}

#[test]
fn ported_classes_are_clean() {
    let project = Project::with_gc(
        "use pyo3::prelude::*;\nuse pyo3_gc::{pyclass, pymethods};\n\
         #[pyclass] struct Node { peer: Option<Py<PyAny>> }\n#[pymethods] impl Node {}\n\
         #[pyclass] struct Plain(u8);\n\
         #[pyclass(gc = false)] struct Alone(Py<PyAny>);\n\
         #[pyo3::pyclass] #[derive(pyo3_gc::PyGcTraversable)] struct Derived(Py<PyAny>);\n#[pymethods] impl Derived {}\n",
    );
    let report = project.check();
    assert_eq!(report.class("Node"), ("wired".to_owned(), vec![]));
    assert_eq!(report.class("Plain"), ("needs-none".to_owned(), vec![]));
    assert_eq!(report.class("Alone"), ("left-alone".to_owned(), vec![]));
    assert_eq!(report.class("Derived"), ("wired".to_owned(), vec![]));
    assert_eq!((report.status, report.files()), (0, vec![]));
}
