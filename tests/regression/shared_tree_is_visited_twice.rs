//! A class that lives long and a handle that outlives a call shared a tree by `Arc`, and both visited it: the collector
//! subtracted its references twice, took live objects for garbage, and cleared them (pydantic/pydantic#13817).

use std::sync::{Arc, Mutex};

use pyo3::prelude::*;
use pyo3_gc::{PyGcArc, PyGcTraversable, pyclass, pymethods};

use crate::support::{DropCounter, DropProbe, alone, collect, object, visits};

const DEPTH: usize = 3;

/// A shared pointer.
trait Pointer<T> {
    fn make(py: Python<'_>, contents: T) -> Self;
    fn share(&self, py: Python<'_>) -> Self;
}

impl<T> Pointer<T> for Arc<T> {
    fn make(_: Python<'_>, contents: T) -> Self {
        Arc::new(contents)
    }

    fn share(&self, _: Python<'_>) -> Self {
        Arc::clone(self)
    }
}

impl<T: PyGcTraversable + Send + Sync + 'static> Pointer<T> for PyGcArc<T> {
    fn make(py: Python<'_>, contents: T) -> Self {
        PyGcArc::new(py, contents).unwrap()
    }

    fn share(&self, py: Python<'_>) -> Self {
        self.clone_ref(py)
    }
}

/// A tree with one object at each of its nodes, whatever points from one to the next.
trait Tree: Sized {
    fn grow(object: &Bound<'_, PyAny>, depth: usize) -> Self;
    /// How many objects are still there.
    fn count(&self) -> usize;
}

macro_rules! tree_and_classes {
    ($pointer:ident) => {
        use super::*;

        #[derive(PyGcTraversable)]
        pub(super) struct Node {
            object: Mutex<Option<Py<PyAny>>>,
            children: Vec<$pointer<Node>>,
        }

        impl Tree for $pointer<Node> {
            fn grow(object: &Bound<'_, PyAny>, depth: usize) -> Self {
                let children = if depth == 0 { Vec::new() } else { vec![Self::grow(object, depth - 1)] };
                let node = Node { object: Mutex::new(Some(object.clone().unbind())), children };
                Self::make(object.py(), node)
            }

            fn count(&self) -> usize {
                let own = usize::from(self.object.lock().unwrap().is_some());
                own + self.children.iter().map(Tree::count).sum::<usize>()
            }
        }

        #[pyclass]
        pub(super) struct Validator {
            pub(super) tree: $pointer<Node>,
            pub(super) owner: Option<Py<PyAny>>,
            pub(super) probe: DropProbe,
        }

        #[pymethods]
        impl Validator {
            /// What outlives the call.
            fn iterate(&self, py: Python<'_>) -> Handle {
                Handle { tree: self.tree.share(py) }
            }
        }

        #[pyclass]
        pub(super) struct Handle {
            tree: $pointer<Node>,
        }

        #[pymethods]
        impl Handle {
            fn count(&self) -> usize {
                self.tree.count()
            }
        }
    };
}

mod by_arc {
    tree_and_classes!(Arc);
}

mod by_gc_arc {
    tree_and_classes!(PyGcArc);
}

/// A validator whose tree leads to an object that leads back to the validator, and a handle.
macro_rules! validator_and_handle {
    ($py:ident, $module:ident, $dropped:ident => $object:ident, $validator:ident, $handle:ident) => {
        let $object = object($py);
        let $validator =
            $module::Validator { tree: Tree::grow(&$object, DEPTH), owner: None, probe: $dropped.probe() };
        let $validator = Bound::new($py, $validator).unwrap();
        $object.setattr("validator", &$validator).unwrap();
        let $handle = $validator.call_method0("iterate").unwrap();
    };
}

fn count(handle: &Bound<'_, PyAny>) -> usize {
    handle.call_method0("count").unwrap().extract().unwrap()
}

#[test]
fn never_more_visits_than_references() {
    alone(|py| {
        let dropped = DropCounter::default();
        validator_and_handle!(py, by_arc, dropped => object, validator, handle);
        assert_eq!(visits(validator.as_any(), &object) + visits(&handle, &object), 0, "while it is shared");
        drop(handle);
        assert_eq!(visits(validator.as_any(), &object), DEPTH + 1, "each reference once");
    });
}

/// A test that what the handle leads to stays as long as the handle, and goes with it.
macro_rules! stays_with_the_handle {
    ($name:ident, $make:ident) => {
        #[test]
        fn $name() {
            alone(|py| {
                let dropped = DropCounter::default();
                validator_and_handle!(py, $make, dropped => object, validator, handle);
                drop((object, validator));
                for _ in 0..3 {
                    collect(py);
                    assert_eq!(count(&handle), DEPTH + 1);
                    assert_eq!(dropped.dropped(), 0);
                }
                drop(handle);
                collect(py);
                assert_eq!(dropped.dropped(), 1, "without it, all is collected");
            });
        }
    };
}
stays_with_the_handle!(while_the_handle_lives_nothing_is_cleared, by_arc);
stays_with_the_handle!(while_the_handle_lives_nothing_behind_a_gc_arc_is_cleared, by_gc_arc);

/// A release build notices nothing until the numbers meet: as many holders outside as visits too many.
#[test]
fn what_is_held_from_outside_is_not_cleared_whatever_the_numbers() {
    alone(|py| {
        for holders in 1..=2 * (DEPTH + 1) {
            let dropped = DropCounter::default();
            validator_and_handle!(py, by_arc, dropped => object, validator, handle);
            object.setattr("handle", handle).unwrap();
            drop(validator);
            let held = vec![object; holders];
            collect(py);
            assert_eq!(count(&held[0].getattr("handle").unwrap()), DEPTH + 1, "{holders} holders");
            assert_eq!(dropped.dropped(), 0);

            held[0].delattr("handle").unwrap();
            drop(held);
            collect(py);
            assert_eq!(dropped.dropped(), 1);
        }
    });
}

/// The validator is garbage for another reason than its tree.
#[test]
fn a_validator_in_garbage_leaves_the_tree_to_the_handle() {
    alone(|py| {
        let dropped = DropCounter::default();
        validator_and_handle!(py, by_arc, dropped => object, validator, handle);
        object.delattr("validator").unwrap();
        validator.borrow_mut().owner = Some(validator.clone().into_any().unbind());
        drop(validator);
        collect(py);
        assert_eq!(dropped.dropped(), 1);
        assert_eq!(count(&handle), DEPTH + 1);
    });
}

/// What only the exact pointer can do: the handle is garbage too.
#[test]
fn a_handle_in_the_cycle_is_collected_behind_a_gc_arc() {
    alone(|py| {
        let dropped = DropCounter::default();
        validator_and_handle!(py, by_gc_arc, dropped => object, validator, handle);
        object.setattr("handle", handle).unwrap();
        drop((object, validator));
        collect(py);
        assert_eq!(dropped.dropped(), 1);
    });
}
