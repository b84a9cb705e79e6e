//! Mistakes that rustc or PyO3 reports, since our macros don't see them. The docs have the words to search for.

use crate::project::{Diagnostics, Project};

const CLASS: &str = "
#[pyclass]
pub struct Node {
    pub value: Option<Py<PyAny>>,
}

#[pymethods]
impl Node {}
";

/// What rustc says of a library.
fn said(name: &'static str, source: &str) -> Diagnostics {
    Project::new(name, source).build().remove(name).unwrap_or_default()
}

/// One class takes PyO3's `#[pyclass]`, the other ours, by the order of the lines. Nothing of ours is asked in the first
/// case, so that all there is to see is what rustc warns.
#[test]
fn both_preludes() {
    for (name, imports) in [
        ("theirs_first", "use pyo3::prelude::*;\nuse pyo3_gc::prelude::*;"),
        ("ours_first", "use pyo3_gc::prelude::*;\nuse pyo3::prelude::*;"),
        ("our_root", "use pyo3::prelude::*;\nuse pyo3_gc::*;"),
    ] {
        let said = said(name, &format!("{imports}\n{CLASS}")).into_values().flatten().collect::<String>();
        for attribute in ["pyclass", "pymethods"] {
            assert!(said.contains(&format!("`{attribute}` is ambiguous")), "{name}: {said}");
        }
    }
}

#[test]
fn one_import_beside_the_other() {
    for (name, start, end, error) in [
        (
            "both_imported",
            "use pyo3::{pyclass, pymethods};",
            "",
            "error[E0252]: the name `pyclass` is defined",
        ),
        (
            "in_python_module",
            "#[pyo3::pymodule]\npub mod module {\nuse pyo3::prelude::*;",
            "}",
            "error[E0659]: `pyclass` is ambiguous",
        ),
    ] {
        let source = format!(
            "{start}\nuse pyo3::{{Py, PyAny}};\nuse pyo3_gc::{{pyclass, pymethods}};\n{CLASS}\n{end}"
        );
        let said = said(name, &source);
        assert!(said.values().flatten().any(|said| said.starts_with(error)), "{name}: {said:#?}");
    }
}

/// That names the remedy; what follows is PyO3's.
#[test]
fn the_first_error_of_two_blocks_with_hooks() {
    let source = format!("use pyo3::prelude::*;\nuse pyo3_gc::{{pyclass, pymethods}};\n{CLASS}");
    let second = source.lines().count() + 1;
    let said = said("two_blocks", &format!("{source}#[pymethods]\nimpl Node {{}}\n"));
    let expected =
        "conflicting implementations of trait `BothInstallHooks_WritePymethodsGcFalseOnOne` for type `Node`";
    assert!(said[&second][0].replace("pyo3_gc::__private::", "").contains(expected), "{said:#?}");
    assert!(said.values().flatten().count() <= 6, "{said:#?}");
}
