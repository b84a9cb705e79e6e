//! `Rc` and `Arc`: visited and cleared by an owner that has the contents to itself, and by none that shares them.

use std::cell::RefCell;
use std::pin::Pin;
use std::rc::{self, Rc};
use std::sync::{self, Arc, Mutex, mpsc};
use std::thread;

use pyo3::prelude::*;
use pyo3_gc::{DynPyGcTraversable, PyGcTraversable, pyclass, pymethods};

use crate::support::field::field_tests;
use crate::support::{DropCounter, DropProbe, alone, collect, is_alive, object, visits, weak};

type Object = Py<PyAny>;

field_tests!(LetsGo {
    arc: Arc<Option<Object>> = |own| Arc::new(Some(own()));
    arc_slice: Arc<[Option<Object>]> = |own| Arc::from([Some(own()), Some(own())]);
    arc_mutex: Arc<Mutex<Option<Object>>> = |own| Arc::new(Mutex::new(Some(own())));
    arc_dyn: Arc<dyn Shape> = |own| Arc::new(Circle(Some(own())));
    rc: Rc<Vec<Object>> = |own| Rc::new(vec![own(), own()]);
    rc_ref_cell: Rc<RefCell<Option<Object>>> = |own| Rc::new(RefCell::new(Some(own())));
    pinned_arc: Pin<Arc<Mutex<Option<Object>>>> = |own| Arc::pin(Mutex::new(Some(own())));
    pinned_arc_dyn: Pin<Arc<Mutex<dyn Shape>>> = |own| Arc::pin(Mutex::new(Circle(Some(own()))));
    pinned_rc: Pin<Rc<RefCell<Vec<Object>>>> = |own| Rc::pin(RefCell::new(vec![own(), own()]));
    pinned_option: Option<Pin<Rc<Object>>> = |own| Some(Rc::pin(own()));
});

field_tests!(Keeps {
    // What is pinned can't be moved out, and so can't be let go of.
    pinned_bare: Pin<Arc<Object>> = |own| Arc::pin(own());
});

trait Shape: DynPyGcTraversable + Send + Sync {}
pyo3_gc::dyn_traversable!(Shape);

#[derive(PyGcTraversable)]
struct Circle(Option<Object>);
impl Shape for Circle {}

#[test]
fn weak_pointers_and_leaves_own_nothing() {
    const {
        assert!(!<rc::Weak<Object>>::MAY_CONTAIN_CYCLES);
        assert!(!<sync::Weak<Object>>::MAY_CONTAIN_CYCLES);
        assert!(!<Arc<str>>::MAY_CONTAIN_CYCLES);
        assert!(!<Rc<[u8]>>::MAY_CONTAIN_CYCLES);
        assert!(!<Pin<Arc<str>>>::MAY_CONTAIN_CYCLES);
        assert!(!<Pin<&'static Object>>::MAY_CONTAIN_CYCLES);
    }
}

/// As plain ones: one of several pinned pointers visits nothing and clears nothing.
#[test]
fn pinned_pointers_that_share_are_opaque() {
    #[pyclass(frozen)]
    struct Pinned {
        shared: Pin<Arc<Mutex<Option<Object>>>>,
    }

    #[pymethods]
    impl Pinned {}

    alone(|py| {
        let object = object(py);
        let shared = Arc::pin(Mutex::new(Some(object.clone().unbind())));
        let mut other = shared.clone();
        let pinned = Bound::new(py, Pinned { shared }).unwrap();
        assert_eq!(visits(pinned.as_any(), &object), 0);
        other.clear();
        other.clear_interior();
        assert!(other.lock().unwrap().is_some(), "shared");
        drop(other);
        assert_eq!(visits(pinned.as_any(), &object), 1);
    });
}

/// A tree of Python references below nodes that may be shared.
#[derive(PyGcTraversable)]
struct Tree {
    object: Mutex<Option<Object>>,
    children: Vec<Arc<Tree>>,
}

impl Tree {
    fn holding(object: &Bound<'_, PyAny>, depth: usize) -> Arc<Self> {
        let children = if depth == 0 { Vec::new() } else { vec![Self::holding(object, depth - 1)] };
        Arc::new(Self { object: Mutex::new(Some(object.clone().unbind())), children })
    }

    fn is_whole(&self) -> bool {
        self.object.lock().unwrap().is_some() && self.children.iter().all(|child| child.is_whole())
    }
}

/// The long-lived class.
#[pyclass]
struct Validator {
    tree: Arc<Tree>,
    probe: DropProbe,
}

#[pymethods]
impl Validator {}

/// What outlives a call, and shares the tree.
#[pyclass(frozen)]
struct Handle {
    tree: Arc<Tree>,
}

#[pymethods]
impl Handle {}

/// A validator and a handle whose tree refers to an object that refers to both, in garbage or not.
struct Shared<'py> {
    object: Bound<'py, PyAny>,
    validator: Bound<'py, Validator>,
    handle: Bound<'py, Handle>,
    /// Of validators: a weak reference would die with what is found to be garbage, whether it is cleared or not.
    dropped: DropCounter,
}

impl<'py> Shared<'py> {
    fn new(py: Python<'py>) -> Self {
        let object = object(py);
        let tree = Tree::holding(&object, 3);
        let dropped = DropCounter::default();
        let validator = Validator { tree: Arc::clone(&tree), probe: dropped.probe() };
        let validator = Bound::new(py, validator).unwrap();
        let handle = Bound::new(py, Handle { tree }).unwrap();
        object.setattr("validator", &validator).unwrap();
        Self { object, validator, handle, dropped }
    }
}

#[test]
fn while_the_validator_lives_nothing_in_the_tree_is_cleared() {
    alone(|py| {
        let Shared { object, validator, handle, dropped } = Shared::new(py);
        drop((object, handle));
        collect(py);
        assert!(validator.borrow().tree.is_whole());
        drop(validator);
        collect(py);
        assert_eq!(dropped.dropped(), 1);
    });
}

#[test]
fn what_two_owners_in_garbage_share_leaks_until_one_of_them_goes() {
    alone(|py| {
        let Shared { object, validator, handle, dropped } = Shared::new(py);
        object.setattr("handle", &handle).unwrap();
        let weak = weak(&object);
        drop((object, validator, handle));
        collect(py);
        assert!(is_alive(&weak), "as documented: this is what `PyGcArc` is for");
        weak.call0().unwrap().delattr("handle").unwrap();
        collect(py);
        assert_eq!(dropped.dropped(), 1);
    });
}

#[test]
fn clearing_a_shared_pointer_by_hand_leaves_its_contents_to_the_other_owner() {
    alone(|py| {
        let tree = Tree::holding(&object(py), 2);
        let mut other = Arc::clone(&tree);
        other.clear();
        other.clear_interior();
        assert!(tree.is_whole());
        drop(other);
        tree.clear_interior();
        assert!(tree.object.lock().unwrap().is_none());
        assert!(tree.children[0].object.lock().unwrap().is_none(), "this one is its parent's alone");
    });
}

#[test]
fn a_weak_pointer_elsewhere_keeps_the_contents_from_being_borrowed_mutably() {
    alone(|py| {
        let object = object(py);
        let mut tree = Tree::holding(&object, 0);
        let observer = Arc::downgrade(&tree);
        tree.clear();
        assert!(tree.object.lock().unwrap().is_none(), "through the lock");
        assert!(observer.upgrade().is_some());
    });
}

/// It isn't a reference that the collector sees: what it brings back has been emptied.
#[test]
fn a_weak_pointer_that_is_upgraded_by_a_destructor_finds_what_is_left() {
    type Contents = Mutex<Vec<Py<PyAny>>>;

    #[pyclass(frozen)]
    struct Owner {
        contents: Arc<Contents>,
    }

    #[pymethods]
    impl Owner {}

    #[pyclass(frozen)]
    struct Upgrades {
        contents: sync::Weak<Contents>,
        #[pyo3_gc(hidden = "nobody but the test looks at it")]
        found: Arc<Mutex<Option<Arc<Contents>>>>,
    }

    #[pymethods]
    impl Upgrades {}

    impl Drop for Upgrades {
        fn drop(&mut self) {
            *self.found.lock().unwrap() = self.contents.upgrade();
        }
    }

    alone(|py| {
        let found = Arc::new(Mutex::new(None));
        let owner = Bound::new(py, Owner { contents: Arc::default() }).unwrap();
        let contents = &owner.get().contents;
        let upgrades = Upgrades { contents: Arc::downgrade(contents), found: Arc::clone(&found) };
        let upgrades = Py::new(py, upgrades).unwrap().into_any();
        contents.lock().unwrap().extend([owner.clone().into_any().unbind(), upgrades]);
        drop(owner);
        collect(py);
        let found: Arc<Contents> = found.lock().unwrap().take().expect("upgraded");
        assert!(found.lock().unwrap().is_empty());
    });
}

#[test]
fn a_clone_on_a_thread_that_is_not_attached_hides_the_contents_while_it_is_there() {
    alone(|py| {
        let Shared { object, validator, handle, dropped } = Shared::new(py);
        drop(handle);
        let tree = Arc::clone(&validator.borrow().tree);
        let (release, released) = mpsc::channel::<()>();
        let thread = thread::spawn(move || {
            released.recv().unwrap();
            tree.is_whole() // dropped here, detached
        });
        assert_eq!(visits(validator.as_any(), &object), 0);
        drop((object, validator));
        collect(py);
        assert_eq!(dropped.dropped(), 0);
        release.send(()).unwrap();
        assert!(py.detach(|| thread.join().unwrap()));
        collect(py);
        assert_eq!(dropped.dropped(), 1);
    });
}

#[test]
fn an_rc_in_an_unsendable_class() {
    #[pyclass(unsendable)]
    struct Cached {
        cache: Rc<RefCell<Vec<Object>>>,
        view: Option<Rc<RefCell<Vec<Object>>>>,
        probe: DropProbe,
    }
    #[pymethods]
    impl Cached {}

    alone(|py| {
        let object = object(py);
        let cache = Rc::new(RefCell::new(vec![object.clone().unbind()]));
        let (view, dropped) = (Some(Rc::clone(&cache)), DropCounter::default());
        let cached = Bound::new(py, Cached { cache, view, probe: dropped.probe() }).unwrap();
        object.setattr("cached", &cached).unwrap();
        assert_eq!(visits(cached.as_any(), &object), 0, "one class can share with itself, too");
        cached.borrow_mut().view = None;
        assert_eq!(visits(cached.as_any(), &object), 1);
        assert_eq!(cached.borrow().cache.borrow().len(), 1);
        drop((object, cached));
        collect(py);
        assert_eq!(dropped.dropped(), 1);
    });
}
