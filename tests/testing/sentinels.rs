//! The sentinels of `check_class`: objects of the user's, references between them, and what can't be a sentinel.

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use pyo3_gc::testing::{ClassCheck, Fault, check_class};
use pyo3_gc::{pyclass, pymethods};

use crate::broken::broken;
use crate::support;

#[pyclass]
struct Node {
    peer: Option<Py<PyAny>>,
}
#[pymethods]
impl Node {}

#[test]
fn typed_references() {
    #[pyclass]
    struct Typed {
        dict: Option<Py<PyDict>>,
        list: Py<PyList>,
        node: Option<Py<Node>>,
        again: Option<Py<Node>>,
    }
    #[pymethods]
    impl Typed {}

    Python::attach(|py| {
        let check = ClassCheck::new().keeps("list");
        let report = check.run(py, |sentinels| {
            let node = sentinels.register("node", Bound::new(py, Node { peer: None })?)?;
            let typed = Typed {
                dict: Some(sentinels.register("dict", PyDict::new(py))?),
                list: sentinels.register("list", PyList::empty(py))?,
                again: Some(node.clone_ref(py)),
                node: Some(node),
            };
            Bound::new(py, typed)
        });
        let report = report.unwrap();
        report.assert_correct();
        let untried = report.unchecked.iter().map(|it| &*it.name).collect::<Vec<_>>();
        assert_eq!(untried, ["node"], "there is no attribute to be set");
    });
}

/// A sentinel that refers to another, and back to the instance.
#[test]
fn references_between_sentinels_are_not_the_instances() {
    #[pyclass]
    struct Parent {
        child: Option<Py<Node>>,
        kept: Option<Py<PyAny>>,
    }
    #[pymethods]
    impl Parent {}

    Python::attach(|py| {
        let report = check_class(py, |sentinels| {
            let child = Bound::new(py, Node { peer: Some(sentinels.object("kept")?) })?;
            let child = sentinels.register("child", child)?;
            let parent = Parent { child: Some(child.clone_ref(py)), kept: Some(sentinels.object("kept")?) };
            let parent = Bound::new(py, parent)?;
            let list = PyList::new(py, [parent.as_any(), sentinels.object("kept")?.bind(py)])?;
            child.borrow_mut(py).peer = Some(list.into_any().unbind());
            Ok(parent)
        });
        assert_eq!(report.unwrap().faults, []);
    });
}

#[test]
fn does_not_hold_what_it_was_given() {
    broken!(Takes {});
    Python::attach(|py| {
        let report = check_class(py, |sentinels| {
            let _unused = sentinels.object("unused")?;
            Bound::new(py, Takes { left: Some(sentinels.object("left")?), right: None })
        });
        assert_eq!(report.unwrap().faults, [Fault::NotOwned { name: "unused".into() }]);
    });
}

#[test]
fn mistakes_of_the_test_are_errors() {
    broken!(Given {});
    Python::attach(|py| {
        let given = |left| Bound::new(py, Given { left: Some(left), right: None });
        let is_value_error = |result: PyResult<_>, text: &str| {
            let error = result.expect_err(text);
            assert!(error.is_instance_of::<PyValueError>(py) && error.to_string().contains(text), "{error}");
        };

        let undeclared = ClassCheck::new().keeps("lefd");
        let report = undeclared.run(py, |sentinels| given(sentinels.object("left")?));
        is_value_error(report, "no sentinel is called \"lefd\"");

        let mut calls = 0;
        let report = check_class(py, |sentinels| {
            calls += 1;
            given(sentinels.object(if calls == 1 { "left" } else { "right" })?)
        });
        is_value_error(report, "other sentinels");

        let elsewhere = support::object(py);
        let report = check_class(py, |sentinels| given(sentinels.register("left", elsewhere.clone())?));
        is_value_error(report, "referred to from elsewhere");

        let report = check_class(py, |sentinels| {
            sentinels.object("left")?;
            given(sentinels.register("left", support::object(py))?)
        });
        is_value_error(report, "already");

        let report = check_class(py, |_| Err::<Bound<'_, Given>, _>(PyRuntimeError::new_err("mine")));
        assert_eq!(report.unwrap_err().to_string(), "RuntimeError: mine");
    });
}

#[test]
fn cycles_that_cannot_be_built_are_listed() {
    #[pyclass(frozen)]
    struct Closed;

    broken!(Holds {});
    Python::attach(|py| {
        let report = check_class(py, |sentinels| {
            let left = sentinels.register("left", Bound::new(py, Closed)?)?.into_any();
            Bound::new(py, Holds { left: Some(left), right: Some(sentinels.object("right")?) })
        });
        let report = report.unwrap();
        assert_eq!(report.faults, []);
        assert_eq!(report.unchecked.iter().map(|it| &*it.name).collect::<Vec<_>>(), ["left"]);
        assert!(report.unchecked[0].reason.contains("AttributeError"), "{report}");
    });
}
