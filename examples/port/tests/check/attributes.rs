//! PyO3's attributes where ours are meant.

use super::support::Project;

const CLASS: &str = "#[pyclass]\nstruct Node(Py<PyAny>);\n#[pymethods]\nimpl Node {}\n";

#[track_caller]
fn is_found(lib: &str, lines: &[usize]) {
    let report = Project::with_gc(lib).check();
    let expected: Vec<_> = lines.iter().map(|line| format!("src/lib.rs:{line}")).collect();
    assert_eq!(report.files(), expected, "{lib}");
    assert_eq!(report.status, i32::from(!lines.is_empty() || !report.messages().is_empty()));
}

#[test]
fn imports_of_ours_are_found_wherever_they_come_from() {
    for import in [
        "use pyo3::prelude::*;\nuse pyo3_gc::{pyclass, pymethods};\n",
        "use pyo3_gc::prelude::*;\n",
        "use pyo3::prelude::*;\nuse pyo3_gc as gc; use gc::{pyclass, pymethods};\n",
        "use pyo3::prelude::*;\nmod ours { pub use pyo3_gc::{pyclass, pymethods}; } use ours::{pyclass, pymethods};\n",
        "use inner::*; mod inner { pub use pyo3_gc::prelude::*; }\n",
    ] {
        is_found(&format!("{import}{CLASS}"), &[]);
    }
    is_found(
        "mod m { use pyo3_gc::prelude::*; mod deep { use super::*; #[pyclass] struct Node(Py<PyAny>); #[pymethods] impl Node {} } }",
        &[],
    );
}

#[test]
fn a_forgotten_import_is_found() {
    is_found(&format!("use pyo3::prelude::*;\n{CLASS}"), &[2, 4]);
    is_found(&format!("use pyo3::{{pyclass, pymethods, Py, PyAny}};\n{CLASS}"), &[2, 4]);
    is_found(&format!("#[macro_use] extern crate pyo3; use pyo3::{{Py, PyAny}};\n{CLASS}"), &[2, 4]);
    // The classes of one module don't help those of another.
    is_found(
        &format!(
            "mod a {{ use pyo3_gc::prelude::*; #[pyclass] struct A(u8); }}\nmod b {{ use pyo3::prelude::*;\n{CLASS}}}"
        ),
        &[3, 5],
    );
    is_found(&format!("use pyo3::prelude::*; use pyo3_gc::pyclass;\n{CLASS}"), &[4]);
}

#[test]
fn paths_into_pyo3_are_found() {
    is_found(
        "use pyo3::prelude::*;\n#[pyo3::pyclass] struct A(Py<PyAny>);\n#[::pyo3::prelude::pyclass] struct B(u8);\n",
        &[2, 3],
    );
    is_found(
        "use pyo3::prelude::*;\n#[pyo3_gc::pyclass] struct A(Py<PyAny>);\n#[pyo3_gc::pymethods] impl A {}\n",
        &[],
    );
    is_found("use pyo3 as p; use p::prelude::*;\n#[p::pyclass] struct B(u8);\n", &[2]);
}

#[test]
fn both_preludes_by_glob_are_found() {
    let lib = format!("use pyo3::prelude::*; use pyo3_gc::prelude::*;\n{CLASS}");
    is_found(&lib, &[2, 4]);
    assert!(Project::with_gc(&lib).check().messages().contains("by globs"));
    is_found(&format!("use pyo3::prelude::*; use pyo3_gc::*;\n{CLASS}"), &[2, 4]);
}

#[test]
fn conditional_attributes_are_found() {
    is_found("use pyo3::prelude::*;\n#[cfg_attr(all(), pyclass)]\nstruct A(Py<PyAny>);\n", &[2]);
    is_found(
        "use pyo3::prelude::*;\n#[cfg_attr(all(), derive(Clone), pyo3_gc::pyclass(frozen))]\nstruct A(u8);\n",
        &[],
    );
}

#[test]
fn macro_bodies_are_read_in_the_module_of_their_call() {
    let lib = "use pyo3::prelude::*;\nmacro_rules! class { ($name:ident) => {\n#[pyclass]\nstruct $name(Py<PyAny>);\n}; }\nclass!(A);\n";
    is_found(lib, &[3]);
}

#[test]
fn what_is_left_to_pyo3_on_purpose_is_no_finding() {
    is_found(
        "use pyo3::prelude::*;\n#[pyo3_gc::pyclass(gc = false)] struct A(Py<PyAny>);\n#[pymethods] impl A {}\n",
        &[],
    );
}

#[test]
fn a_crate_that_is_not_ported_has_no_such_findings() {
    assert_eq!(
        Project::new(&format!("use pyo3::prelude::*;\n{CLASS}")).check().files(),
        Vec::<String>::new()
    );
}

#[test]
fn renamed_crates_are_known() {
    let gc = super::support::pyo3_gc().display().to_string();
    let dependencies = format!(
        "python = {{ package = \"pyo3\", version = \"0.29\" }}\ncollector = {{ package = \"pyo3-gc\", path = '{gc}' }}\n"
    );
    let project = Project::with_dependencies(
        &dependencies,
        "use python::prelude::*;\n#[pyclass] struct A(Py<PyAny>);\n#[collector::pyclass] struct B(u8);\n",
    );
    assert_eq!(project.check().files(), ["src/lib.rs:2"]);
}
