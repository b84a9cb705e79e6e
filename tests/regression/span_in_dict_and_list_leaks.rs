//! A span that a list in its own dict holds was never collected, for want of hooks (DataDog/dd-trace-py#17867).

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use pyo3_gc::{pyclass, pymethods};

use crate::support::{DropCounter, DropProbe, alone, collect};

#[pyclass]
struct Span {
    #[pyo3(get)]
    meta: Py<PyDict>,
    #[pyo3(get, set)]
    parent: Option<Py<Span>>,
    name: String,
    probe: DropProbe,
}

#[pymethods]
impl Span {}

#[test]
fn span_dict_list_span() {
    alone(|py| {
        let dropped = DropCounter::default();
        let span = |name: &str, parent| {
            let meta = PyDict::new(py).unbind();
            Bound::new(py, Span { meta, parent, name: name.into(), probe: dropped.probe() }).unwrap()
        };
        let root = span("root", None);
        let kid = span("kid", Some(root.clone().unbind()));
        root.borrow().meta.bind(py).set_item("spans", PyList::new(py, [&root, &kid]).unwrap()).unwrap();
        drop(kid);

        collect(py);
        assert_eq!(dropped.dropped(), 0);
        let kid = root.getattr("meta").unwrap().get_item("spans").unwrap().get_item(1).unwrap();
        assert_eq!(kid.cast::<Span>().unwrap().borrow().name, "kid");
        drop(kid);

        drop(root);
        assert_eq!(dropped.dropped(), 0);
        collect(py);
        assert_eq!(dropped.dropped(), 2);
    });
}
