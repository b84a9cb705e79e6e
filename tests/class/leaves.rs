//! What a class without hooks costs is PyO3's to say: ours add nothing to one that wants none.

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyType;
use pyo3::{PyTraverseError, PyTypeInfo, PyVisit};
use pyo3_gc::{PyGcTraversable, pyclass, pymethods};

use crate::support::{DropCounter, DropProbe, alone, collect, visits};

/// As PyO3 makes it.
#[pyo3::pyclass]
struct Theirs {
    number: u64,
}

#[pyo3::pymethods]
impl Theirs {
    #[new]
    fn new(number: u64) -> Self {
        Self { number }
    }

    fn number(&self) -> u64 {
        self.number
    }
}

macro_rules! leaf {
    ($name:ident, #[pyclass($($class:meta),*)], #[pymethods($($methods:meta),*)]) => {
        #[pyclass($($class),*)]
        struct $name {
            number: u64,
        }

        #[pymethods($($methods),*)]
        impl $name {
            #[new]
            fn new(number: u64) -> Self {
                Self { number }
            }

            fn number(&self) -> u64 {
                self.number
            }
        }
    };
}
leaf!(Derived, #[pyclass()], #[pymethods(gc = false)]);
leaf!(LeftAlone, #[pyclass(gc = false)], #[pymethods(gc = false)]);
leaf!(Frozen, #[pyclass(frozen, gc = false)], #[pymethods(gc = false)]);
leaf!(Wired, #[pyclass()], #[pymethods()]);

/// Neither block nor hooks.
#[pyclass(get_all)]
struct Blockless {
    number: u64,
}

/// Left alone, with a trait implementation by hand: the hooks of a block aren't lost.
#[pyclass(gc = false)]
struct TraitByHand {
    own: Option<Py<PyAny>>,
    _probe: DropProbe,
}

// SAFETY: 1 to 4: the reference is visited once, and an error passed on. 5: true. 6: an empty holder is a holder.
unsafe impl PyGcTraversable for TraitByHand {
    const MAY_CONTAIN_CYCLES: bool = true;

    fn traverse(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.own)
    }

    fn clear(&mut self) {
        self.own = None;
    }
}

#[pymethods]
impl TraitByHand {}

/// What `sys.getsizeof` says of an instance, the collector's header included, and whether the collector knows the class.
fn cost<T: PyTypeInfo>(py: Python<'_>) -> (usize, bool) {
    let class = py.get_type::<T>();
    let instance = class.call1((7,)).unwrap();
    assert!(instance.call_method0("number").unwrap().eq(7).unwrap());
    let size = py.import("sys").unwrap().call_method1("getsizeof", (&instance,)).unwrap();
    (size.extract().unwrap(), is_gc(&class))
}

fn is_gc(class: &Bound<'_, PyType>) -> bool {
    // SAFETY: the type is alive.
    let flags = unsafe { ffi::PyType_GetFlags(class.as_type_ptr()) };
    flags & ffi::Py_TPFLAGS_HAVE_GC != 0
}

#[test]
fn hooks_that_nobody_wants() {
    alone(|py| {
        let theirs = cost::<Theirs>(py);
        assert_eq!(cost::<Derived>(py), theirs);
        assert_eq!(cost::<LeftAlone>(py), theirs);
        assert_eq!(is_gc(&py.get_type::<Blockless>()), theirs.1);
        let frozen = cost::<Frozen>(py);
        assert!(frozen.0 <= theirs.0 && frozen.1 == theirs.1, "{frozen:?}");
        // Hooks that do nothing make a GC type all the same.
        let wired = cost::<Wired>(py);
        assert!(wired.1, "{wired:?}");
        // The header of a free-threaded build is a part of every object.
        if !theirs.1 && cfg!(not(Py_GIL_DISABLED)) {
            assert!(wired.0 > theirs.0, "{wired:?}, {theirs:?}");
        }
        let number = Bound::new(py, Blockless { number: 7 }).unwrap().getattr("number").unwrap();
        assert!(number.eq(7).unwrap());
    });
}

#[test]
fn a_trait_by_hand() {
    alone(|py| {
        let dropped = DropCounter::default();
        let holder = Bound::new(py, TraitByHand { own: None, _probe: dropped.probe() }).unwrap();
        holder.borrow_mut().own = Some(holder.clone().into_any().unbind());
        assert_eq!(visits(&holder, &holder), 1);
        drop(holder);
        assert_eq!(dropped.dropped(), 0);
        collect(py);
        assert_eq!(dropped.dropped(), 1);
    });
}
