//! A collection on another thread than that of an `unsendable` object ended the process (PyO3/pyo3#3688).

use std::cell::RefCell;
use std::rc::Weak;
use std::thread;

use pyo3::prelude::*;
use pyo3::types::PyWeakrefMethods;
use pyo3_gc::{pyclass, pymethods};

use crate::support::{DropCounter, DropProbe, alone, collect, is_alive, object, visits, weak};

#[pyclass(unsendable)]
struct Local {
    objects: RefCell<Vec<Py<PyAny>>>,
    neighbour: Weak<Local>,
    probe: DropProbe,
}

#[pymethods]
impl Local {}

#[test]
fn unsendable() {
    alone(|py| {
        let (target, dropped) = (object(py), DropCounter::default());
        let objects = RefCell::new(vec![target.clone().unbind()]);
        let local = Local { objects, neighbour: Weak::new(), probe: dropped.probe() };
        let local = Bound::new(py, local).unwrap();
        target.setattr("holder", &local).unwrap();
        let weak = weak(&target);
        drop(target);

        let elsewhere = || py.detach(|| thread::spawn(|| Python::attach(collect)).join().unwrap());
        elsewhere();
        assert!(is_alive(&weak));
        assert_eq!(local.borrow().objects.borrow().len(), 1);
        assert!(local.borrow().neighbour.upgrade().is_none());
        assert_eq!(visits(local.as_any(), &weak.upgrade().unwrap()), 1);

        // Garbage too is left to the thread that it belongs to.
        drop(local);
        elsewhere();
        assert!(is_alive(&weak));
        collect(py);
        assert!(!is_alive(&weak));
        assert_eq!(dropped.dropped(), 1);
    });
}
