//! Blocks that are missing, too many, or for nothing.

use super::support::Project;

#[test]
fn classes_without_a_block_get_an_empty_one() {
    let project = Project::new(
        "use pyo3::prelude::*;

#[cfg(all())]
#[pyclass]
pub struct Node(Option<Py<PyAny>>);

/// Holds by its type.
#[pyclass]
pub enum Shape {
    Circle { of: Py<PyAny> },
    Empty {},
}

#[pyclass]
pub struct ByType(Inner);

#[derive(Clone)]
pub struct Inner(std::sync::Arc<Py<PyAny>>);

#[pyclass]
pub struct Plain(u8);

macro_rules! class {
    ($name:ident) => {
        #[pyclass]
        pub struct $name(Option<Py<PyAny>>);
    };
}

class!(Made);
",
    );
    project.ported();
    let text = project.read("src/lib.rs");
    assert!(
        text.contains("Node(Option<Py<PyAny>>);\n\n#[cfg(all())]\n#[pyo3_gc::pymethods]\nimpl Node {}\n"),
        "{text}"
    );
    assert!(text.contains("    Empty {},\n}\n\n#[pyo3_gc::pymethods]\nimpl Shape {}\n"), "{text}");
    assert!(text.contains("struct ByType(Inner);\n\n#[pyo3_gc::pymethods]\nimpl ByType {}\n"), "{text}");
    assert!(text.contains("class!(Made);\n\n#[pyo3_gc::pymethods]\nimpl Made {}\n"), "{text}");
    assert!(!text.contains("impl Plain"), "{text}");
    assert!(
        text.contains("#[derive(Clone)]\n#[derive(pyo3_gc::PyGcTraversable)]\npub struct Inner"),
        "{text}"
    );
}

#[test]
fn further_blocks_have_no_hooks() {
    let project = Project::with_dependencies(
        "pyo3 = { version = \">=0.28.3, <0.31\", features = [\"multiple-pymethods\"] }\n",
        "use pyo3::prelude::*;

#[pyclass]
pub struct Node(Option<Py<PyAny>>);

#[pymethods]
impl Node {
    fn one(&self) -> u8 {
        1
    }
}

#[pymethods]
impl Node {
    fn two(&self) -> u8 {
        2
    }
}
",
    );
    project.ported();
    let text = project.read("src/lib.rs");
    assert!(text.contains("#[pymethods]\nimpl Node {\n    fn one"), "{text}");
    assert!(text.contains("#[pymethods(gc = false)]\nimpl Node {\n    fn two"), "{text}");
}

#[test]
fn a_class_without_references_stays_no_gc_type_on_pyo3_0_29() {
    let project = Project::with_dependencies(
        "pyo3 = \"0.29\"\n",
        "use pyo3::prelude::*;\n\n#[pyclass]\npub struct Plain(u8);\n\n#[pymethods]\nimpl Plain {\n    fn get(&self) -> u8 {\n        self.0\n    }\n}\n",
    );
    project.ported();
    let text = project.read("src/lib.rs");
    assert!(text.contains("#[pymethods(gc = false)]\nimpl Plain"), "{text}");
}
