//! `check_class` finds nothing wrong with the classes of `examples/extension`, whose files these are.

use pyo3::PyTypeInfo;
use pyo3::call::PyCallArgs;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use pyo3_gc::testing::{ClassCheck, ClassReport, Sentinels};

use crate::edge::Edge;
use crate::event::Event;
use crate::graph::Graph;
use crate::memo::Memo;
use crate::node::Node;
use crate::support::assert_all_tried;
use crate::walk::{Neighbours, Order, Walk};

/// What Python code sees of a class.
fn new<'py, T: PyTypeInfo>(py: Python<'py>, args: impl PyCallArgs<'py>) -> PyResult<Bound<'py, T>> {
    Ok(py.get_type::<T>().call1(args)?.cast_into::<T>()?)
}

/// A node as a sentinel. It is of a Python class, so that it has a place for what closes a cycle.
fn node<'py>(py: Python<'py>, sentinels: &Sentinels<'py>, name: &str) -> PyResult<Py<Node>> {
    let scope = PyDict::new(py);
    scope.set_item("Node", py.get_type::<Node>())?;
    let node = py.eval(c"type('OpenNode', (Node,), {})('sentinel')", Some(&scope), None)?;
    sentinels.register(name, node.cast_into::<Node>()?)
}

#[test]
fn nodes() {
    Python::attach(|py| {
        let report = ClassCheck::new().run(py, |sentinels| {
            let instance = new::<Node>(py, ("name", sentinels.object("value")?))?;
            instance.call_method1("observe", (sentinels.object("observer")?,))?;
            let target = node(py, sentinels, "target")?;
            instance.call_method1("connect", (target, sentinels.object("data")?))?;
            Ok(instance)
        });
        assert_all_tried(report, 4);
    });
}

#[test]
fn edges() {
    Python::attach(|py| {
        let check = ClassCheck::new().keeps("source").keeps("target").keeps("data");
        let report = check.run(py, |sentinels| {
            let [source, target] = ["source", "target"].map(|name| node(py, sentinels, name));
            Bound::new(py, Edge::new(source?, target?, Some(sentinels.object("data")?)))
        });
        assert_all_tried(report, 3);
    });
}

#[test]
fn graphs() {
    Python::attach(|py| {
        let report = ClassCheck::new().run(py, |sentinels| {
            let graph = new::<Graph>(py, ())?;
            graph.call_method1("add", (node(py, sentinels, "node")?,))?;
            graph.call_method1("observe", (sentinels.object("observer")?,))?;
            Ok(graph)
        });
        assert_all_tried(report, 2);
    });
}

#[test]
fn memos() {
    Python::attach(|py| {
        let check = ClassCheck::new().keeps("compute");
        let report = check.run(py, |sentinels| new::<Memo>(py, (sentinels.object("compute")?,)));
        assert_all_tried(report, 1);
    });
}

#[test]
fn what_a_memo_remembers() {
    Python::attach(|py| {
        let report = ClassCheck::new().run(py, |sentinels| {
            let scope = PyDict::new(py);
            let outcomes = [sentinels.object("value")?, sentinels.object("failure")?];
            scope.set_item("outcomes", PyList::new(py, outcomes)?)?;
            let code = c"
def compute(node):
    outcome = outcomes.pop()
    if outcomes:
        raise ValueError(outcome)
    return outcome
";
            py.run(code, Some(&scope), None)?;
            let memo = new::<Memo>(py, (scope.get_item("compute")?,))?;
            memo.call1((new::<Node>(py, ("failure",))?,)).expect_err("it raises");
            memo.call1((new::<Node>(py, ("value",))?,))?;
            Ok(memo)
        });
        assert_all_tried(report, 2);
    });
}

#[test]
fn events() {
    Python::attach(|py| {
        let check = ClassCheck::new().keeps("node").keeps("old").keeps("new");
        let report = check.run(py, |sentinels| {
            let node = node(py, sentinels, "node")?;
            let [old, new] = ["old", "new"].map(|name| sentinels.object(name));
            Event::ValueChanged { node, old: old?, new: new? }.into_pyobject(py)
        });
        assert_all_tried(report, 3);
    });
}

#[test]
fn iterators() {
    Python::attach(|py| {
        let report = ClassCheck::new()
            .run(py, |sentinels| Bound::new(py, Neighbours::new(node(py, sentinels, "node")?)));
        assert_all_tried(report, 1);
        for order in [Order::BreadthFirst, Order::DepthFirst] {
            let report = ClassCheck::new().run(py, |sentinels| {
                Bound::new(py, Walk::new(node(py, sentinels, "start")?.bind(py), order)?)
            });
            assert_all_tried(report, 1);
        }
    });
}
