//! An object that lives on is whole, whatever runs while the garbage that led to it is cleared: its weak references, the
//! collector's own lists, and a reference from anywhere may bring it back at any time.

use std::ffi::CStr;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use pyo3::{PyTraverseError, PyVisit};
use pyo3_gc::{PyGcTraversable, pyclass, pymethods};

use crate::support::alone;

/// A container by hand that knows `clear` alone, which drops in the middle.
#[derive(Default)]
struct Plain(Option<Py<PyAny>>);

// SAFETY: 1 and 4: one reference, visited once. 2: only reads. 3: passed on. 5: true. 6: `None` is a value.
unsafe impl PyGcTraversable for Plain {
    const MAY_CONTAIN_CYCLES: bool = true;

    fn traverse(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.0)
    }

    fn clear(&mut self) {
        self.0 = None;
    }
}

#[pyclass(weakref, subclass)]
#[derive(Default)]
struct Link {
    #[pyo3(get, set)]
    own: Option<Py<PyAny>>,
    #[pyo3(get, set)]
    next: Option<Py<PyAny>>,
    plain: Plain,
    #[pyo3(get, set)]
    name: Option<Py<PyAny>>,
}

#[pymethods]
impl Link {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    fn put(&mut self, object: Py<PyAny>) {
        self.plain.0 = Some(object);
    }
}

/// `old`, from an earlier collection, leads to an object with a destructor, which `find`s it and keeps it. `young`, which is
/// garbage, leads to `old`.
fn lives_on_whole(find: &CStr) {
    alone(|py| {
        let scope = PyDict::new(py);
        scope.set_item("Link", py.get_type::<Link>()).unwrap();
        let code = c"
import gc, weakref

class WithDel:
    def __del__(self):
        kept.append(find())

def garbage(young, old):
    young.own, young.next = young, old

kept = []
for cls in Link, type('Sub', (Link,), {}):
    old = cls()
    old.next, old.name = Link(), 'old'
    old.put(WithDel())
    weak, address = weakref.ref(old), id(old)
    gc.collect()
    garbage(Link(), old)
    del old
    gc.collect(0)
";
        py.run(find, Some(&scope), None).unwrap();
        py.run(code, Some(&scope), None).unwrap();
        // `None` where it is gone by then.
        let kept: Vec<Option<PyRef<'_, Link>>> = scope.get_item("kept").unwrap().unwrap().extract().unwrap();
        assert_eq!(kept.len(), 2);
        for old in kept.into_iter().flatten() {
            assert!(old.next.is_some() && old.name.is_some(), "it lives on, emptied");
        }
    });
}

#[test]
fn a_weak_reference_finds_it() {
    lives_on_whole(c"def find(): return weak()");
}

#[test]
fn the_lists_of_the_collector_have_it() {
    lives_on_whole(
        c"
def find():
    return next((o for o in gc.get_objects() if id(o) == address and isinstance(o, Link)), None)
",
    );
}
