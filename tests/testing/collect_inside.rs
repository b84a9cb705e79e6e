//! A collection can't be part of another one. (A process of its own: the callback sees everybody's collections.)

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyCFunction, PyDict, PyList};
use pyo3_gc::testing::collect;

use crate::support::process::in_a_process_of_its_own;

#[test]
fn a_collection_inside_a_collection_is_an_error() {
    in_a_process_of_its_own(|| {
        Python::attach(|py| {
            let outcomes = PyList::empty(py);
            let record = outcomes.clone().unbind();
            let inner = PyCFunction::new_closure(py, None, None, move |args, _| {
                let error = collect(args.py()).expect_err("it can't collect");
                record.bind(args.py()).append(error.value(args.py()))
            });
            let globals = PyDict::new(py);
            globals.set_item("collect", inner.unwrap()).unwrap();
            let code = c"lambda phase, info: collect() if phase == 'start' else None";
            let callback = py.eval(code, Some(&globals), None).unwrap();
            let gc = py.import("gc").unwrap();
            gc.call_method0("disable").unwrap();
            gc.getattr("callbacks").unwrap().call_method1("append", (&callback,)).unwrap();
            gc.call_method0("collect").unwrap();
            assert_eq!(outcomes.len(), 1);
            assert!(outcomes.get_item(0).unwrap().is_instance_of::<PyRuntimeError>());
        });
    });
}
