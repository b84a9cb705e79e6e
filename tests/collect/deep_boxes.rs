//! Lists of boxes are visited, cleared and dropped recursively, as Rust drops them: where the stack has room for Rust's own
//! drop of a list, it has room for a collection.

use pyo3::prelude::*;
use pyo3_gc::{PyGcTraversable, pyclass, pymethods};

use crate::support::stack::{Noting, USUAL_STACK, on_stack, spread};
use crate::support::{DropCounter, DropProbe, HOLDS_BY_HAND, alone, collect, object, visits};

/// `next` isn't the last field, so that visiting it is no tail call.
#[derive(PyGcTraversable)]
struct Item {
    next: Option<Box<Item>>,
    object: Option<Py<PyAny>>,
    noting: Noting,
    probe: DropProbe,
}

#[pyclass]
struct List {
    first: Option<Box<Item>>,
}

#[pymethods]
impl List {}

fn items(depth: usize, object: &Bound<'_, PyAny>, dropped: &DropCounter) -> Option<Box<Item>> {
    (0..depth).fold(None, |next, _| {
        let object = Some(object.clone().unbind());
        Some(Box::new(Item { next, object, noting: Noting, probe: dropped.probe() }))
    })
}

/// Measured on a short list. Unoptimised, a visit goes through the functions of `Option` and `Box`, which are inlined
/// otherwise, and the drop doesn't.
#[test]
fn visiting_takes_the_stack_that_rust_takes_to_drop() {
    const DEPTH: usize = 1_000;

    on_stack(USUAL_STACK, || {
        alone(|py| {
            let (object, dropped) = (object(py), DropCounter::default());
            let items = || items(DEPTH, &object, &dropped);
            let per_item = |run: &mut dyn FnMut()| spread(run) / (DEPTH - 1);

            let list = Bound::new(py, List { first: items() }).unwrap().into_any();
            let visit = per_item(&mut || assert_eq!(visits(&list, &object), DEPTH));
            let mut first = items();
            let clear = per_item(&mut || first.clear());
            let mut first = items();
            let drop = per_item(&mut || first = None);

            println!("bytes of stack for each item: visit {visit}, clear {clear}, drop {drop}");
            // Where that can be known, it is visited before it is dropped, to hold what it owns.
            assert_eq!(clear, if HOLDS_BY_HAND { visit.max(drop) } else { drop });
            assert!(visit <= if cfg!(debug_assertions) { 2 * drop } else { drop });
        });
    });
}

/// A hundred thousand, on a stack with room for that.
#[test]
fn a_deep_list_is_collected() {
    const DEPTH: usize = 100_000;
    /// As of a main thread on most systems.
    const OPTIMISED: usize = 8 << 20;

    on_stack(if cfg!(debug_assertions) { 8 * OPTIMISED } else { OPTIMISED }, || {
        alone(|py| {
            let (object, dropped) = (object(py), DropCounter::default());
            let list = Bound::new(py, List { first: items(DEPTH, &object, &dropped) }).unwrap();
            object.setattr("list", &list).unwrap();
            drop(object);
            collect(py);
            assert_eq!(dropped.dropped(), 0);
            drop(list);
            collect(py);
            assert_eq!(dropped.dropped(), DEPTH);
        });
    });
}
