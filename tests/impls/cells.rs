//! Cells: contents behind a shared reference, on one thread or written once.

use std::cell::{Cell, LazyCell, OnceCell, RefCell};
use std::sync::{LazyLock, OnceLock};

use pyo3::prelude::*;
use pyo3_gc::PyGcTraversable;

use crate::support::field::field_tests;
use crate::support::{self, DropCounter, DropProbe, Walk, alone, collect, object, visits};

type Object = Py<PyAny>;
type Initializer<T> = Box<dyn FnOnce() -> T>;

field_tests!(LetsGo {
    cell: Cell<Object> = |own| Cell::new(own());
    cell_of_option: Cell<Option<Object>> = |own| Cell::new(Some(own()));
    ref_cell: RefCell<Object> = |own| RefCell::new(own());
    ref_cell_of_vec: RefCell<Vec<Object>> = |own| RefCell::new(vec![own(), own()]);
    ref_cell_of_slice: Box<RefCell<[Object]>> = |own| Box::new(RefCell::new([own(), own()]));
    once_cell: OnceCell<Object> = |own| OnceCell::from(own());
    once_lock: OnceLock<Object> = |own| OnceLock::from(own());
    once_lock_of_pair: OnceLock<(Object, Object)> = |own| OnceLock::from((own(), own()));
    lazy_cell: LazyCell<Object, Initializer<Object>> = |own| {
        let value = own();
        let cell = LazyCell::new(Box::new(move || value) as _);
        LazyCell::force(&cell);
        cell
    };
    lazy_lock: LazyLock<Vec<Object>, Initializer<Vec<Object>>> = |own| {
        let values = vec![own(), own()];
        let lock = LazyLock::new(Box::new(move || values) as _);
        LazyLock::force(&lock);
        lock
    };
});

/// What a frozen class clears: through cells that can be borrowed, and nothing else.
#[test]
fn clear_interior() {
    alone(|py| {
        let borrowed = RefCell::new(Some(py.None()));
        let guard = borrowed.borrow();
        borrowed.clear_interior();
        assert!(guard.is_some(), "somebody reads it");
        drop(guard);
        borrowed.clear_interior();
        assert!(borrowed.take().is_none());

        let plain = Cell::new(Some(py.None()));
        plain.clear_interior();
        assert!(plain.take().is_some());

        let once = OnceLock::from(py.None());
        once.clear_interior();
        assert!(once.get().is_some());

        let nested = OnceLock::from(RefCell::new(vec![py.None()]));
        nested.clear_interior();
        assert!(nested.get().unwrap().borrow().is_empty());
    });
}

#[test]
fn cleared_cells_are_usable() {
    alone(|py| {
        let mut once = OnceCell::from(py.None());
        once.clear();
        assert!(once.get().is_none());
        assert!(once.set(py.None()).is_ok());
        once.clear();

        let mut lock = OnceLock::<Object>::new();
        lock.clear();
        assert!(lock.set(py.None()).is_ok());
    });
}

#[test]
fn nobody_forces_a_lazy_cell() {
    alone(|py| {
        let mut cell = LazyCell::new(|| -> Object { panic!("forced") });
        cell.clear();
        cell.clear_interior();
        let cell = LazyLock::new(Box::new(|| -> Object { panic!("forced") }) as Initializer<Object>);
        let lazy = Bound::new(py, Lazy { cell }).unwrap();
        assert!(Walk::of(lazy.as_any(), None).visits.len() <= 1, "at most the class");
        collect(py);
    });
}

#[pyclass(unsendable)]
#[derive(PyGcTraversable)]
struct Lazy {
    cell: LazyLock<Object, Initializer<Object>>,
}
support::hooks!(Lazy);

#[pyclass(unsendable, frozen)]
#[derive(PyGcTraversable)]
struct Shared {
    item: RefCell<Option<Object>>,
    once: OnceCell<RefCell<Vec<Object>>>,
    probe: DropProbe,
}
support::frozen_hooks!(Shared);

#[test]
fn a_borrowed_cell_is_visited_unless_it_is_being_changed() {
    alone(|py| {
        let (target, dropped) = (object(py), DropCounter::default());
        let item = RefCell::new(Some(target.clone().unbind()));
        let shared = Shared { item, once: OnceCell::new(), probe: dropped.probe() };
        let shared = Bound::new(py, shared).unwrap();
        let inner = shared.borrow();

        let reader = inner.item.borrow();
        assert_eq!(visits(shared.as_any(), &target), 1);
        drop(reader);

        let writer = inner.item.borrow_mut();
        assert_eq!(visits(shared.as_any(), &target), 0);
        collect(py);
        assert!(writer.is_some());
        drop(writer);
        assert_eq!(visits(shared.as_any(), &target), 1);
    });
}

#[test]
fn a_frozen_class_with_cells_that_holds_itself_is_collected() {
    alone(|py| {
        let dropped = DropCounter::default();
        let shared = Shared { item: RefCell::new(None), once: OnceCell::new(), probe: dropped.probe() };
        let shared = Bound::new(py, shared).unwrap();
        let itself = || shared.clone().into_any().unbind();
        shared.borrow().item.replace(Some(itself()));
        shared.borrow().once.set(RefCell::new(vec![itself(), itself()])).unwrap();
        assert_eq!(visits(shared.as_any(), shared.as_any()), 3);
        collect(py);
        assert_eq!(dropped.dropped(), 0);
        drop(shared);
        collect(py);
        assert_eq!(dropped.dropped(), 1);
    });
}
