//! Other threads collect as they like, and disturb nothing. (A process of its own, lest they do in other tests.)

use std::thread;

use pyo3::prelude::*;
use pyo3_gc::testing::{DropProbe, assert_collected, assert_kept_alive, check_class};
use pyo3_gc::{pyclass, pymethods};

use crate::support::process::in_a_process_of_its_own;

#[pyclass]
struct Node {
    peer: Option<Py<PyAny>>,
    probe: Option<DropProbe>,
}

#[pymethods]
impl Node {}

#[test]
fn collections_of_other_threads_do_no_harm() {
    in_a_process_of_its_own(|| {
        fn test(py: Python<'_>) -> PyResult<()> {
            let cycle = |probe| {
                let node = Bound::new(py, Node { peer: None, probe: Some(probe) })?;
                node.borrow_mut().peer = Some(node.clone().into_any().unbind());
                Ok(node)
            };
            assert_collected(py, |drops| cycle(drops.probe()))?;
            assert_kept_alive(py, |drops| cycle(drops.probe()))?;
            let report = check_class(py, |sentinels| {
                Bound::new(py, Node { peer: Some(sentinels.object("peer")?), probe: None })
            });
            report?.assert_correct();
            Ok(())
        }

        thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    for _ in 0..30 {
                        Python::attach(|py| py.import("gc")?.call_method0("collect").map(drop)).unwrap();
                    }
                });
            }
            for _ in 0..2 {
                scope.spawn(|| (0..10).for_each(|_| Python::attach(test).unwrap()));
            }
        });
    });
}
