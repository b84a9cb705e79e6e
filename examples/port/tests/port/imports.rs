//! Whose attributes a file uses.

use super::support::Project;

#[test]
fn every_way_to_name_the_attributes_is_rewritten() {
    let project = Project::new("mod a;\nmod b;\nmod c;\nmod d;\nmod e;\nmod f;\nmod g;\nmod h;\nmod i;\n");
    let class = |attribute: &str, methods: &str| {
        format!("\n{attribute}\npub struct Node(Option<Py<PyAny>>);\n\n{methods}\nimpl Node {{}}\n")
    };
    let bare = class("#[pyclass]", "#[pymethods]");
    let ours = "use pyo3_gc::{pyclass, pymethods};\n";
    let by_path = class("#[pyo3_gc::pyclass]", "#[pyo3_gc::pymethods]");
    let files = [
        // What stands in the file, and what is to.
        ("a", format!("use pyo3::prelude::*;\n{bare}"), format!("use pyo3::prelude::*;\n{ours}{bare}")),
        (
            "b",
            format!("use pyo3::{{pyclass, pymethods, Py, PyAny}};\n{bare}"),
            format!("use pyo3::{{Py, PyAny}};\n{ours}{bare}"),
        ),
        (
            "c",
            format!("use pyo3::{{Py, pymethods, PyAny, prelude::pyclass}};\n{bare}"),
            format!("use pyo3::{{Py, PyAny}};\n{ours}{bare}"),
        ),
        (
            "d",
            format!("use pyo3::pyclass;\nuse pyo3::pymethods;\nuse pyo3::{{Py, PyAny}};\n{bare}"),
            format!("{ours}use pyo3::{{Py, PyAny}};\n{bare}"),
        ),
        (
            "e",
            format!("use pyo3::{{Py, PyAny}};\n{}", class("#[pyo3::pyclass]", "#[::pyo3::prelude::pymethods]")),
            format!("use pyo3::{{Py, PyAny}};\n{by_path}"),
        ),
        (
            "f",
            "use crate::f::reexported::*;\n\nmod reexported {\n    pub use pyo3::prelude::*;\n}\n".to_owned() + &bare,
            "use crate::f::reexported::*;\nuse pyo3_gc::{pyclass, pymethods};\n\nmod reexported {\n    pub use pyo3::prelude::*;\n}\n"
                .to_owned()
                + &bare,
        ),
        (
            "g",
            format!("use pyo3::prelude::*;\n{}", class("#[cfg_attr(all(), pyclass(frozen))]", "#[pymethods]")),
            format!(
                "use pyo3::prelude::*;\nuse pyo3_gc::pymethods;\n{}",
                class("#[cfg_attr(all(), pyo3_gc::pyclass(frozen))]", "#[pymethods]")
            ),
        ),
        (
            "h",
            "use pyo3::prelude::*;\n\npub fn local() {\n    #[pyclass]\n    struct Local(u8);\n    let _ = Local(1).0;\n}\n".to_owned(),
            "pub fn local() {\n    #[pyo3_gc::pyclass]\n    struct Local(u8);\n    let _ = Local(1).0;\n}\n".to_owned(),
        ),
        (
            "i",
            "#[pyo3::pymodule]\nmod inner {\n    use pyo3::prelude::*;\n\n    #[pyclass]\n    struct Node(Option<Py<PyAny>>);\n}\n".to_owned(),
            "#[pyo3::pymodule]\nmod inner {\n    use pyo3_gc::prelude::*;\n\n    #[pyclass]\n    struct Node(Option<Py<PyAny>>);\n\n    \
             #[pyo3_gc::pymethods]\n    impl Node {}\n}\n"
                .to_owned(),
        ),
    ];
    for (name, before, _) in &files {
        project.write(&format!("src/{name}.rs"), before);
    }
    let ran = project.ported();
    for (name, _, after) in &files {
        assert_eq!(project.read(&format!("src/{name}.rs")), *after, "{name}: {}", ran.stderr);
    }
    assert_eq!(project.check().files(), Vec::<String>::new());
}

#[test]
fn a_reexport_of_the_attributes_is_replaced_where_it_stands() {
    let project = Project::new(
        "mod python {\n    pub(crate) use pyo3::{pyclass, pymethods, Py, PyAny};\n\n    #[pyclass]\n    struct Inner(Option<Py<PyAny>>);\n\n    #[pymethods]\n    impl Inner {}\n}\n\
         use python::{pyclass, pymethods, Py, PyAny};\n\n#[pyclass]\nstruct Node(Option<Py<PyAny>>);\n\n#[pymethods]\nimpl Node {}\n",
    );
    project.ported();
    let text = project.read("src/lib.rs");
    assert!(
        text.contains(
            "    pub(crate) use pyo3::{Py, PyAny};\n    pub(crate) use pyo3_gc::{pyclass, pymethods};\n"
        ),
        "{text}"
    );
    assert_eq!(project.check().files(), Vec::<String>::new());
}

#[test]
fn bytes_that_are_not_ascii_and_carriage_returns_stay() {
    let text = "\u{feff}//! Größe → 大\r\nuse pyo3::prelude::*;\r\n\r\n/* é */ #[pyclass]\r\nstruct Node { /* ü */ peer: Option<Py<PyAny>>, other: Inner }\r\n\r\nstruct Inner(u8);\r\n";
    let project = Project::new(text);
    project.ported();
    let expected = text
        .replace("use pyo3::prelude::*;", "use pyo3::prelude::*;\nuse pyo3_gc::pyclass;")
        .replace("other: Inner }", "other: Inner }\n\n#[pyo3_gc::pymethods]\nimpl Node {}")
        .replace("struct Inner(u8)", "#[derive(pyo3_gc::PyGcTraversable)]\nstruct Inner(u8)");
    assert_eq!(project.read("src/lib.rs").replace("\r\n", "\n"), expected.replace("\r\n", "\n"));
}
