//! What patterns name: types by their names and by where they stand. What names nothing is told.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyModule};
use pyo3_gc::audit::{Audit, Report};

use crate::support::object;
use crate::support::process::{alone_in_a_process as alone, in_a_process_of_its_own};

/// Without a module of its own: it says that it is from `builtins`.
#[pyo3::pyclass]
struct Homeless(#[expect(dead_code, reason = "only the audit looks")] Py<PyAny>);

/// Stands nowhere, and comes from this program.
#[pyo3::pyclass]
struct Nowhere;

/// Puts a module into `sys.modules` for the time of `test`.
fn with_module(py: Python<'_>, name: &str, test: impl FnOnce(&Bound<'_, PyModule>)) {
    let module = PyModule::new(py, name).unwrap();
    let modules = py.import("sys").unwrap().getattr("modules").unwrap().cast_into::<PyDict>().unwrap();
    modules.set_item(name, &module).unwrap();
    test(&module);
    modules.del_item(name).unwrap();
}

/// An instance that hides an object, and what keeps the instance.
fn homeless(py: Python<'_>) -> Bound<'_, PyAny> {
    let keeper = object(py);
    let hidden = object(py).unbind();
    keeper.setattr("kept", Bound::new(py, Homeless(hidden)).unwrap()).unwrap();
    keeper
}

fn suspects(py: Python<'_>, pattern: &str) -> Report {
    Audit::new().suspects(pattern).run(py).unwrap()
}

/// How many types and objects the one pattern of a report names.
fn named(report: &Report) -> (usize, usize) {
    assert_eq!(report.suspects.len(), 1, "{report}");
    (report.suspects[0].types, report.suspects[0].objects)
}

fn finds_homeless(report: &Report) -> bool {
    report.holders().any(|holder| holder.type_name == "Homeless")
}

#[test]
fn a_module_names_the_types_that_stand_in_it_and_in_its_submodules() {
    alone(|py| {
        let keeper = homeless(py);
        with_module(py, "patterns_package.sub", |module| {
            module.add_class::<Homeless>().unwrap();
            for pattern in ["patterns_package", "patterns_package.sub", "patterns_package.sub.Homeless"] {
                let report = suspects(py, pattern);
                assert!(finds_homeless(&report), "{pattern}: {report}");
                assert_eq!(named(&report), (1, 1), "{pattern}");
                let allowed = Audit::new().suspects(pattern).allow(pattern, "known").run(py).unwrap();
                assert!(!finds_homeless(&allowed) && allowed.allowed[0].findings == 1, "{allowed}");
            }
            for pattern in ["patterns_package.sub.Other", "patterns_pack"] {
                assert_eq!(named(&suspects(py, pattern)), (0, 0), "{pattern}");
            }
        });
        drop(keeper);
    });
}

#[test]
fn a_type_without_a_module_has_its_name_and_that_of_builtins() {
    // In memory that nothing else has used: all builtin types are searched.
    in_a_process_of_its_own(|| alone(types_of_builtins));
}

fn types_of_builtins(py: Python<'_>) {
    let keeper = homeless(py);
    for pattern in ["Homeless", "builtins.Homeless"] {
        let report = suspects(py, pattern);
        assert!(finds_homeless(&report), "{pattern}: {report}");
        assert_eq!(named(&report), (1, 1));
    }
    let report = suspects(py, "builtins");
    assert!(finds_homeless(&report) && named(&report).0 > 50, "{report}");
    drop(keeper);
}

#[test]
fn what_a_module_imports_is_not_its_own() {
    alone(|py| {
        with_module(py, "patterns_importer", |module| {
            for (of, name) in [("collections", "OrderedDict"), ("builtins", "dict"), ("io", "BytesIO")] {
                let ty = py.import(of).unwrap().getattr(name).unwrap();
                module.setattr(name, ty).unwrap();
            }
            assert_eq!(named(&suspects(py, "patterns_importer")), (0, 0));
            // Unless that is what is asked for.
            let (types, objects) = named(&suspects(py, "patterns_importer.dict"));
            assert!(types == 1 && objects > 100, "{objects}");

            // Types from the module's own helper in C, and those from where they don't stand.
            let code = c"helped = type('Helped', (), {'__module__': '_patterns_importer'})()
lost = type('Lost', (), {'__module__': 'json'})()
gone = type('Gone', (), {'__module__': 'no.such.module'})()";
            let names = module.dict();
            py.run(code, Some(&names), Some(&names)).unwrap();
            with_module(py, "_patterns_importer", |helper| {
                for name in ["helped", "lost", "gone"] {
                    let ty = module.getattr(name).unwrap().get_type();
                    module.setattr(name.to_uppercase(), &ty).unwrap();
                    helper.setattr("Helped", &ty).unwrap();
                }
                assert_eq!(named(&suspects(py, "patterns_importer")), (3, 3));
            });
        });
    });
}

#[test]
#[cfg(target_os = "linux")]
fn a_module_names_the_types_without_a_module_that_are_from_its_library() {
    alone(|py| {
        let instance = Bound::new(py, Nowhere).unwrap();
        let keeper = object(py);
        keeper.setattr("kept", &instance).unwrap();
        with_module(py, "patterns_library", |module| {
            assert_eq!(named(&suspects(py, "patterns_library")), (0, 0));
            module.setattr("__file__", std::env::current_exe().unwrap()).unwrap();
            let report = suspects(py, "patterns_library");
            assert!(named(&report).0 > 0, "{report}");
        });
    });
}

#[test]
fn a_pattern_that_names_nothing_is_told() {
    alone(|py| {
        let report = Audit::new().suspects("no.such").suspects("builtins.type").run(py).unwrap();
        assert_eq!(report.unmatched().collect::<Vec<_>>(), ["no.such"]);
        assert!(!report.is_clean());
        let text = report.to_string();
        assert!(text.contains(", but a pattern names nothing"), "{text}");
        assert!(text.contains("\nsuspects: no type is called no.such; is its module imported?\n"), "{text}");

        let report = Audit::new().suspects("no.such").suspects("nor.this").run(py).unwrap();
        assert!(report.to_string().contains(": no findings, but 2 patterns name nothing\n"), "{report}");
        assert!(std::panic::catch_unwind(|| report.assert_clean()).is_err());
    });
}

#[test]
fn that_no_instance_is_alive_is_told_but_clean() {
    alone(|py| {
        let class = py.get_type::<Nowhere>();
        with_module(py, "patterns_empty", |module| {
            module.setattr("Alias", class).unwrap();
            let report = suspects(py, "patterns_empty");
            report.assert_clean();
            let text = report.to_string();
            assert!(text.contains("suspects: no instance of patterns_empty is alive\n"), "{text}");
        });
    });
}

#[test]
fn every_builtin_type_can_be_asked_for() {
    alone(|py| {
        let types = py.import("builtins").unwrap().dict().values();
        let names = types.iter().filter_map(|ty| {
            let ty = ty.cast_into::<pyo3::types::PyType>().ok()?;
            Some(ty.name().unwrap().to_string())
        });
        let audit = names.fold(Audit::new().limit(0), Audit::suspects);
        let audit = ["function", "frame", "code", "generator", "module", "NoneType"]
            .map(String::from)
            .into_iter()
            .fold(audit, Audit::suspects);
        let keeper = object(py);
        let values = py.eval(
            c"[10 ** 100, -10 ** 100, True, 1.5, 'a' * 99, b'b' * 99, (), (1,), {}, set()]",
            None,
            None,
        );
        keeper.setattr("values", values.unwrap()).unwrap();
        let report = audit.run(py).unwrap();
        let ints = report.suspects.iter().find(|it| it.pattern == "int").unwrap();
        assert!(ints.types == 1 && ints.objects > 0, "{ints:?}");
    });
}
