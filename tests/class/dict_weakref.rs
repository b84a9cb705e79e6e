//! Classes with a `__dict__` and with weak references, which PyO3 and CPython look after.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use pyo3::{PyTraverseError, PyVisit};
use pyo3_gc::{pyclass, pymethods};

use crate::support::{DropCounter, DropProbe, alone, collect, is_alive, visits, weak};

#[pyclass(dict, weakref)]
struct Open {
    own: Option<Py<PyAny>>,
    probe: DropProbe,
}

#[pymethods]
impl Open {}

/// A class of PyO3's own, with a hook.
#[pyo3::pyclass(dict)]
struct OpenByHand {}

#[pyo3::pymethods]
impl OpenByHand {
    #[allow(clippy::unused_self, clippy::unnecessary_wraps, reason = "the signature is PyO3's")]
    fn __traverse__(&self, _visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        Ok(())
    }
}

#[test]
fn dict() {
    alone(|py| {
        // PyO3 visits the dict from 0.29 on (PyO3/pyo3#6206); before, a cycle through it leaks in every class.
        let by_hand = Bound::new(py, OpenByHand {}).unwrap();
        let visited = visits(&by_hand, &by_hand.getattr("__dict__").unwrap());

        let dropped = DropCounter::default();
        let open = Bound::new(py, Open { own: None, probe: dropped.probe() }).unwrap();
        assert_eq!(visits(&open, &open.getattr("__dict__").unwrap()), visited);
        let alive = weak(&open);
        open.setattr("itself", &open).unwrap();
        collect(py);
        assert!(open.getattr("itself").unwrap().is(&open));
        drop(open);
        assert!(is_alive(&alive));
        collect(py);
        assert_eq!((is_alive(&alive), dropped.dropped()), (visited == 0, visited));
    });
}

/// A weak reference dies before the object is cleared, and its callback runs.
#[test]
fn weak_references() {
    alone(|py| {
        let (scope, dropped) = (PyDict::new(py), DropCounter::default());
        let open = Bound::new(py, Open { own: None, probe: dropped.probe() }).unwrap();
        open.borrow_mut().own = Some(open.clone().into_any().unbind());
        scope.set_item("open", &open).unwrap();
        let code = c"
import weakref
log = []
reference = weakref.ref(open, lambda dead: log.append(dead()))
del open
";
        py.run(code, Some(&scope), None).unwrap();
        drop(open);
        collect(py);
        let log = scope.get_item("log").unwrap().unwrap();
        let log = log.cast::<PyList>().unwrap();
        assert_eq!((log.len(), log.get_item(0).unwrap().is_none(), dropped.dropped()), (1, true, 1));
    });
}
