//! Manifests, features, and a second run.

use super::support::{Project, pyo3_gc};

#[test]
fn the_dependency_has_the_features_for_the_crates_in_use() {
    let project = Project::with_dependencies(
        "# Bindings.\npyo3 = \">=0.28.3, <0.31\" # all of them\nparking_lot = \"0.12\"\nsmallvec = \"1\"\n\n[dev-dependencies]\nuuid = \"1\"\n\n",
        "use pyo3::prelude::*;\n\n#[pyclass]\npub struct Node(parking_lot::Mutex<smallvec::SmallVec<[Py<PyAny>; 2]>>);\n",
    );
    let ran = project.ported();
    let manifest = project.read("Cargo.toml");
    let line = format!(
        "pyo3-gc = {{ path = \"{}\", features = [\"parking_lot\", \"smallvec\"] }}\n",
        pyo3_gc().display()
    );
    assert!(manifest.contains(&line), "{manifest}");
    assert!(manifest.contains("# Bindings.\npyo3 = \">=0.28.3, <0.31\" # all of them\n"), "{manifest}");
    assert!(ran.stdout.contains("0 decisions left"), "{}", ran.stdout);
}

#[test]
fn an_optional_pyo3_brings_an_optional_pyo3_gc() {
    let project = Project::empty();
    project.write(
        "Cargo.toml",
        "[package]\nname = \"optional\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[features]\ndefault = [\"python\"]\npython = [\"dep:pyo3\"]\n\n\
         [dependencies.pyo3]\nversion = \">=0.28.3, <0.31\"\noptional = true\n\n[workspace]\n",
    );
    project.write(
        "src/lib.rs",
        "#[cfg(feature = \"python\")]\nuse pyo3::prelude::*;\n\n#[cfg_attr(feature = \"python\", pyclass)]\npub struct Node(pub u8);\n\n\
         #[cfg(feature = \"python\")]\n#[pymethods]\nimpl Node {\n    fn get(&self) -> u8 {\n        self.0\n    }\n}\n",
    );
    project.ported();
    let manifest = project.read("Cargo.toml");
    assert!(manifest.contains("python = [\"dep:pyo3\", \"dep:pyo3-gc\"]"), "{manifest}");
    assert!(manifest.contains("optional = true"), "{manifest}");
    let text = project.read("src/lib.rs");
    assert!(text.contains("#[cfg(feature = \"python\")]\nuse pyo3_gc::pymethods;\n"), "{text}");
    assert!(text.contains("#[cfg_attr(feature = \"python\", pyo3_gc::pyclass)]"), "{text}");
    let plain = std::process::Command::new("cargo")
        .args(["check", "-q", "--no-default-features"])
        .current_dir(project.path())
        .env("CARGO_TARGET_DIR", concat!(env!("CARGO_TARGET_TMPDIR"), "/fixtures"))
        .output()
        .unwrap();
    assert!(plain.status.success(), "{}", String::from_utf8_lossy(&plain.stderr));
}

#[test]
fn a_second_run_changes_nothing() {
    let project = Project::with_dependencies(
        "pyo3 = \">=0.28.3, <0.31\"\nrpds = \"1\"\n",
        "use pyo3::prelude::*;\n\npub struct Inner(Option<Py<PyAny>>);\n\n#[pyclass]\npub struct Node {\n    inner: Inner,\n    list: rpds::ListSync<u8>,\n}\n\n\
         #[pyclass]\npub struct ByHand(Option<Py<PyAny>>, u8);\n\n#[pymethods]\nimpl ByHand {\n    \
         fn __traverse__(&self, visit: pyo3::PyVisit<'_>) -> Result<(), pyo3::PyTraverseError> {\n        visit.call(&self.0)\n    }\n\n    \
         fn __clear__(&mut self) {\n        self.0 = None;\n        self.1 = 0;\n    }\n}\n",
    );
    project.ported();
    let before = project.tree();
    let ran = project.ported();
    assert_eq!(project.tree(), before);
    assert!(ran.stdout.contains("+0 -0 lines"), "{}", ran.stdout);
}
