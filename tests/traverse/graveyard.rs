//! When destructors run: after everything was moved out, and every lock released.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, LinkedList, VecDeque};
use std::ptr;
use std::rc::Rc;
use std::sync::{Arc, Mutex, OnceLock, RwLock};

use pyo3::prelude::*;
use pyo3_gc::{Graveyard, PyGcTraversable};

use crate::support::{self, DropCounter, DropProbe, alone, collect};

/// Something to be cleared whose destructor does as it is told.
#[derive(PyGcTraversable)]
struct Item {
    // Without it, an item would be a leaf, and kept.
    object: Option<Py<PyAny>>,
    #[pyo3(gc = false)]
    on_drop: Rc<dyn Fn()>,
}

impl Item {
    fn new(on_drop: &Rc<dyn Fn()>) -> Self {
        Self { object: Python::attach(|py| Some(py.None())), on_drop: Rc::clone(on_drop) }
    }
}

impl Drop for Item {
    fn drop(&mut self) {
        (self.on_drop)();
    }
}

/// Something behind a shared reference that is cleared through it.
trait Lock: PyGcTraversable + 'static {
    type Contents;

    fn new(contents: Self::Contents) -> Self;
    /// `None` where somebody holds the lock.
    fn look<R>(&self, look: impl FnOnce(&mut Self::Contents) -> R) -> Option<R>;
}

macro_rules! locks {
    ($($lock:ident: $try:ident;)+) => {$(
        impl<T: PyGcTraversable + 'static> Lock for $lock<T> {
            type Contents = T;

            fn new(contents: T) -> Self {
                Self::new(contents)
            }

            fn look<R>(&self, look: impl FnOnce(&mut T) -> R) -> Option<R> {
                self.$try().ok().map(|mut contents| look(&mut contents))
            }
        }
    )+};
}
locks! {
    Mutex: try_lock;
    RwLock: try_write;
    RefCell: try_borrow_mut;
}

/// Clears a lock around contents that are made of `Item`s. Each item's destructor finds the lock free and its contents
/// gone, by the word of `is_empty`, and doesn't run before the graveyard is dropped.
fn destructors_find_it_empty<L: Lock>(
    contents: impl Fn(&Rc<dyn Fn()>) -> L::Contents,
    is_empty: fn(&mut L::Contents) -> bool,
) {
    alone(|_| {
        let nothing: Rc<dyn Fn()> = Rc::new(|| ());
        let lock = Rc::new(L::new(contents(&nothing)));
        let found = Rc::new(RefCell::new(Vec::new()));
        let notice: Rc<dyn Fn()> = {
            let (lock, found) = (Rc::downgrade(&lock), Rc::clone(&found));
            Rc::new(move || found.borrow_mut().push(lock.upgrade().and_then(|lock| lock.look(is_empty))))
        };

        // Dropped at once.
        let filled = contents(&notice);
        lock.look(|contents| *contents = filled).unwrap();
        lock.clear_interior();
        let items = found.borrow().len();
        assert!(items > 0);
        assert_eq!(*found.borrow(), vec![Some(true); items]);

        // Dropped when the graveyard is.
        let filled = contents(&notice);
        lock.look(|contents| *contents = filled).unwrap();
        let mut graveyard = Graveyard::new();
        lock.clear_interior_into(&mut graveyard);
        assert_eq!(lock.look(is_empty), Some(true));
        assert_eq!(found.borrow().len(), items, "not yet");
        drop(graveyard);
        assert_eq!(*found.borrow(), vec![Some(true); 2 * items]);
    });
}

macro_rules! tests {
    ($($name:ident: $lock:ty = |$on_drop:ident| $contents:expr, |$c:ident| $is_empty:expr;)+) => {$(
        #[test]
        fn $name() {
            destructors_find_it_empty::<$lock>(|$on_drop| $contents, |$c| $is_empty);
        }
    )+};
}

#[derive(PyGcTraversable)]
struct Derived {
    first: Option<Item>,
    rest: Vec<Item>,
}

#[derive(PyGcTraversable)]
enum Either {
    One(Option<Item>),
    Many { items: Vec<Item> },
}

/// Two locks at once: the inner one is emptied through the outer.
type Nested = Mutex<(Option<Item>, RwLock<Vec<Item>>)>;

tests! {
    option: Mutex<Option<Item>> = |f| Some(Item::new(f)), |c| c.is_none();
    vec: Mutex<Vec<Item>> = |f| vec![Item::new(f), Item::new(f)], |c| c.is_empty();
    rw_lock: RwLock<Vec<Item>> = |f| vec![Item::new(f)], |c| c.is_empty();
    ref_cell: RefCell<Vec<Item>> = |f| vec![Item::new(f)], |c| c.is_empty();
    vec_deque: Mutex<VecDeque<Item>> = |f| VecDeque::from([Item::new(f)]), |c| c.is_empty();
    linked_list: Mutex<LinkedList<Item>> = |f| LinkedList::from([Item::new(f)]), |c| c.is_empty();
    hash_map: Mutex<HashMap<u8, Item>> = |f| HashMap::from([(1, Item::new(f)), (2, Item::new(f))]), |c| c.is_empty();
    btree_map: Mutex<BTreeMap<u8, Item>> = |f| BTreeMap::from([(1, Item::new(f))]), |c| c.is_empty();
    once_lock: Mutex<OnceLock<Item>> = |f| OnceLock::from(Item::new(f)), |c| c.get().is_none();
    boxed: Mutex<Box<Option<Item>>> = |f| Box::new(Some(Item::new(f))), |c| c.is_none();
    tuple: Mutex<(Option<Item>, Vec<Item>)> =
        |f| (Some(Item::new(f)), vec![Item::new(f)]), |c| c.0.is_none() && c.1.is_empty();
    array: Mutex<[Option<Item>; 2]> =
        |f| [Some(Item::new(f)), Some(Item::new(f))], |c| c.iter().all(Option::is_none);
    derived_struct: Mutex<Derived> =
        |f| Derived { first: Some(Item::new(f)), rest: vec![Item::new(f), Item::new(f)] },
        |c| c.first.is_none() && c.rest.is_empty();
    derived_enum: RwLock<Either> =
        |f| Either::Many { items: vec![Item::new(f)] },
        |c| matches!(c, Either::Many { items } if items.is_empty());
    derived_enum_tuple: RwLock<Either> = |f| Either::One(Some(Item::new(f))), |c| matches!(c, Either::One(None));
    nested: Nested = |f| (Some(Item::new(f)), RwLock::new(vec![Item::new(f)])), |c| {
        c.0.is_none() && c.1.try_write().is_ok_and(|inner| inner.is_empty())
    };
}

/// Cleared by the collector, through its lock.
#[pyclass(frozen)]
#[derive(PyGcTraversable)]
struct Shelf {
    items: Mutex<Vec<(Py<PyAny>, Returning)>>,
    probe: DropProbe,
}
support::frozen_hooks!(Shelf);

/// Its destructor comes back into the object that it was cleared out of.
struct Returning {
    owner: ptr::NonNull<Shelf>,
    found_empty: Arc<Mutex<Vec<bool>>>,
}
pyo3_gc::leaf!(Returning);

// SAFETY: a `Shelf` is `Sync`.
unsafe impl Send for Returning {}

impl Drop for Returning {
    fn drop(&mut self) {
        // SAFETY: in this test only the collector empties the shelf, while the shelf is alive.
        let owner = unsafe { self.owner.as_ref() };
        self.found_empty.lock().unwrap().push(owner.items.try_lock().is_ok_and(|items| items.is_empty()));
    }
}

#[test]
fn destructors_come_back_into_a_frozen_class() {
    alone(|py| {
        let (dropped, found_empty) = (DropCounter::default(), Arc::default());
        let shelf = Shelf { items: Mutex::default(), probe: dropped.probe() };
        let shelf = Bound::new(py, shelf).unwrap();
        for _ in 0..2 {
            let item =
                Returning { owner: ptr::NonNull::from(shelf.get()), found_empty: Arc::clone(&found_empty) };
            shelf.get().items.lock().unwrap().push((shelf.clone().into_any().unbind(), item));
        }
        collect(py);
        assert!(found_empty.lock().unwrap().is_empty());
        drop(shelf);
        collect(py);
        assert_eq!(*found_empty.lock().unwrap(), [true, true]);
        assert_eq!(dropped.dropped(), 1);
    });
}
