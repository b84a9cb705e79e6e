//! A report as data and as text, and the options of an audit.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::{PyTraverseError, PyVisit};
use pyo3_gc::audit::{Audit, Report, allow_list, audit};

use crate::support::{alone, object};

/// Visits its field twice.
#[pyo3::pyclass(module = "report")]
pub(crate) struct Twice(pub(crate) Py<PyAny>);

#[pyo3::pymethods]
impl Twice {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        #[allow(clippy::clone_on_copy, reason = "Copy from PyO3 0.30 on")]
        visit.clone().call(&self.0)?;
        visit.call(&self.0)
    }
}

/// The report on one over-visited object, and its address.
fn faulty() -> (Report, usize) {
    alone(|py| {
        let value = object(py);
        let address = value.as_ptr() as usize;
        let _twice = Bound::new(py, Twice(value.unbind())).unwrap();
        (audit(py).unwrap(), address)
    })
}

#[test]
fn as_text() {
    let (mut report, address) = faulty();
    // CPython 3.12 freezes some objects of its own.
    report.frozen = 0;
    let Report { objects, references, visits, .. } = report;
    let expected = format!(
        "gc audit: {objects} objects, {references} references, {visits} visits: 1 finding\n\
         \n\
         over-visited: 1 (the collector may destroy these while they are in use)\n  \
           __main__.Object at {address:#x}: 1 reference, 2 visits\n    \
             2 visits by report.Twice\n"
    );
    assert_eq!(report.to_string(), expected);
}

#[test]
#[should_panic(expected = "2 visits by report.Twice")]
fn assert_clean_panics_with_the_report() {
    faulty().0.assert_clean();
}

#[test]
fn empty_patterns_and_reasons_are_refused() {
    alone(|py| {
        let audits =
            [Audit::new().suspects(""), Audit::new().allow("", "why"), Audit::new().allow("a.B", "")];
        for audit in audits {
            let error = audit.run(py).unwrap_err();
            assert!(error.is_instance_of::<PyValueError>(py), "{error}");
        }
    });
}

#[test]
fn an_allow_list_says_where_it_is_wrong() {
    let entries = allow_list("# known\n\n a.B : shares, see #1 \nmodule: x\n").unwrap();
    assert_eq!(entries, [("a.B".into(), "shares, see #1".into()), ("module".into(), "x".into())]);
    for (text, line) in [("a.B", "line 1"), ("#\n\na.B:", "line 3"), (": why", "line 1")] {
        let error = Python::attach(|_| allow_list(text).unwrap_err().to_string());
        assert!(error.contains(line) && error.contains("expected `module.Type: reason`"), "{error}");
    }
}

#[test]
fn types_are_named_without_running_code() {
    alone(|py| {
        let code = c"
ran = []
class Meta(type):
    __module__ = property(lambda self: ran.append('module'))
    __name__ = property(lambda self: ran.append('name'))
    def __getattribute__(self, name): ran.append(name); return super().__getattribute__(name)
    def __repr__(self): ran.append('repr')
class Named(metaclass=Meta):
    def __repr__(self): ran.append('repr')
named = Named()
ran.clear()
";
        let names = pyo3::types::PyDict::new(py);
        py.run(code, Some(&names), Some(&names)).unwrap();
        let twice = Bound::new(py, Twice(names.get_item("named").unwrap().unwrap().unbind())).unwrap();
        let more = (0..3)
            .map(|_| Bound::new(py, Twice(twice.borrow().0.clone_ref(py))).unwrap())
            .collect::<Vec<_>>();
        let report = Audit::new().suspects("builtins").run(py).unwrap();
        assert_eq!(report.over_visited().next().unwrap().type_name, "Named", "{report}");
        assert_eq!(names.get_item("ran").unwrap().unwrap().len().unwrap(), 0);
        drop((twice, more));
    });
}

#[cfg(feature = "all")]
#[test]
fn as_json() {
    let (report, address) = faulty();
    let json = serde_json::to_value(&report).unwrap();
    let found = &json["over_visited"];
    assert_eq!(found["total"], 1);
    assert_eq!(
        found["listed"][0],
        serde_json::json!({
            "type_name": "__main__.Object",
            "class_name": null,
            "address": address,
            "references": 1,
            "visits": 2,
            "visitors": [{ "type_name": "report.Twice", "objects": 1, "visits": 2 }],
        })
    );
    assert_eq!(json["unsteady"], serde_json::json!({ "total": 0, "listed": [] }));
    assert_eq!(json["objects"], report.objects);
}
