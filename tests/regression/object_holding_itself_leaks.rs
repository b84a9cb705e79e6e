//! An object whose bare `Py<PyAny>` field ends up holding the object itself was never collected: `clear` had nothing to
//! put in the field's place (PyO3/pyo3#6330, the review).

use pyo3::prelude::*;
use pyo3_gc::{pyclass, pymethods};

use crate::support::{DropCounter, DropProbe, alone, collect};

#[pyclass]
struct Callback {
    #[pyo3(get, set)]
    function: Py<PyAny>,
    probe: DropProbe,
}

#[pymethods]
impl Callback {}

fn callback<'py>(py: Python<'py>, dropped: &DropCounter) -> Bound<'py, Callback> {
    Bound::new(py, Callback { function: py.None(), probe: dropped.probe() }).unwrap()
}

#[test]
fn holding_itself() {
    alone(|py| {
        let dropped = DropCounter::default();
        let callback = callback(py, &dropped);
        callback.setattr("function", &callback).unwrap();
        collect(py);
        assert_eq!(dropped.dropped(), 0);
        drop(callback);
        collect(py);
        assert_eq!(dropped.dropped(), 1);
    });
}

#[test]
fn holding_each_other() {
    alone(|py| {
        let dropped = DropCounter::default();
        let (one, other) = (callback(py, &dropped), callback(py, &dropped));
        one.setattr("function", &other).unwrap();
        other.setattr("function", &one).unwrap();
        drop(one);
        collect(py);
        assert_eq!(dropped.dropped(), 0);
        drop(other);
        collect(py);
        assert_eq!(dropped.dropped(), 2);
    });
}

/// An object that is held by one that is collected is not itself lost.
#[test]
fn what_it_held_before_is_kept() {
    alone(|py| {
        let dropped = DropCounter::default();
        let (cyclic, alive) = (callback(py, &dropped), callback(py, &dropped));
        let tuple = (&cyclic, &alive).into_pyobject(py).unwrap();
        cyclic.setattr("function", tuple).unwrap();
        alive.setattr("function", "kept").unwrap();
        drop(cyclic);
        collect(py);
        assert_eq!(dropped.dropped(), 1);
        assert_eq!(alive.getattr("function").unwrap().extract::<String>().unwrap(), "kept");
    });
}
