//! What a container and a field say of how they are cleared: values whose parts must agree with one another.

use std::collections::HashMap;
use std::ptr::NonNull;
use std::sync::Mutex;

use pyo3::PyClass;
use pyo3::prelude::*;
use pyo3_gc::testing::{DropCounter, DropProbe, collect};
use pyo3_gc::{pyclass, pymethods};

use crate::support::alone;

macro_rules! registry {
    ($module:ident, $(#[$container:meta])*, $(#[$index:meta])*) => {
        mod $module {
            use super::*;

            #[pyclass]
            #[derive(Default)]
            $(#[$container])*
            pub(super) struct Registry {
                $(#[$index])*
                index: HashMap<u64, usize>,
                items: Vec<Py<PyAny>>,
            }

            #[pymethods]
            impl Registry {
                #[new]
                fn new() -> Self {
                    Self::default()
                }

                fn add(&mut self, key: u64, item: Py<PyAny>) {
                    self.index.insert(key, self.items.len());
                    self.items.push(item);
                }

                /// The invariant: what the index has, the items have.
                fn find(&self, py: Python<'_>, key: u64) -> Option<Py<PyAny>> {
                    self.index.get(&key).map(|&at| self.items[at].clone_ref(py))
                }
            }
        }
    };
}

registry!(whole, #[pyo3_gc(clear = default)],);
registry!(with_its_index,, #[pyo3_gc(clear = true)]);
registry!(field_by_field,,);

/// What the elements are told, each by a callback of its own that runs while the garbage is cleared.
fn lookups_of_garbage<T: PyClass>(py: Python<'_>) -> Vec<String> {
    let locals = pyo3::types::PyDict::new(py);
    locals.set_item("Registry", py.get_type::<T>()).unwrap();
    let code = cr#"
import gc
answers = []

class Item:
    pass

registry = Registry()

class Reference:
    """Not garbage itself: asks when the item that holds it goes."""
    def __init__(self, key):
        self.key = key
    def __del__(self):
        try:
            answers.append(repr(registry_of_the_dead[0].find(self.key)))
        except BaseException as error:
            answers.append(type(error).__name__)

for key in range(3):
    item = Item()
    item.registry = registry
    item.reference = Reference(key)
    registry.add(key, item)

del item
registry_of_the_dead = [registry]
"#;
    py.run(code, Some(&locals), Some(&locals)).unwrap();
    // `__clear__` as the collector calls it, while the registry can still be asked.
    let registry = locals.get_item("registry").unwrap().unwrap();
    clear(&registry);
    for _ in 0..3 {
        collect(py).unwrap();
    }
    let answers: Vec<String> = locals.get_item("answers").unwrap().unwrap().extract().unwrap();
    locals.clear();
    collect(py).unwrap();
    answers
}

/// Calls the object's `tp_clear`.
fn clear(object: &Bound<'_, PyAny>) {
    // SAFETY: the type is alive.
    let slot = unsafe { pyo3::ffi::PyType_GetSlot(object.get_type().as_type_ptr(), pyo3::ffi::Py_tp_clear) };
    // SAFETY: this is the type of that slot.
    let clear = unsafe { std::mem::transmute::<*mut std::ffi::c_void, pyo3::ffi::inquiry>(slot) };
    // SAFETY: the object is alive, and the slot its type's.
    assert_eq!(unsafe { clear(object.as_ptr()) }, 0);
}

#[test]
fn an_index_goes_with_what_it_counts() {
    alone(|py| {
        let nothing = ["None"; 3].map(String::from);
        assert_eq!(lookups_of_garbage::<whole::Registry>(py), nothing);
        assert_eq!(lookups_of_garbage::<with_its_index::Registry>(py), nothing);
        // This is what the attributes are for.
        let panics = ["PanicException"; 3].map(String::from);
        assert_eq!(lookups_of_garbage::<field_by_field::Registry>(py), panics);
    });
}

/// A list that owns its nodes, and a table of cursors into it.
#[derive(Default, pyo3_gc::PyGcTraversable)]
#[pyo3_gc(clear = default)]
#[allow(clippy::vec_box, reason = "a node stays where its cursor points")]
struct Lru {
    order: Vec<Box<(u64, Py<PyAny>)>>,
    #[pyo3(gc = false)]
    cursors: HashMap<u64, Cursor>,
}

struct Cursor(NonNull<(u64, Py<PyAny>)>);

// SAFETY: only the cache follows it, which owns the node.
unsafe impl Send for Cursor {}
// SAFETY: as above.
unsafe impl Sync for Cursor {}

impl Lru {
    fn put(&mut self, key: u64, value: Py<PyAny>) {
        let mut node = Box::new((key, value));
        self.cursors.insert(key, Cursor(NonNull::from(&mut *node)));
        self.order.push(node);
    }

    fn get(&self, py: Python<'_>, key: u64) -> Option<Py<PyAny>> {
        let Cursor(node) = self.cursors.get(&key)?;
        // SAFETY: a node is in the list for as long as its cursor is in the table.
        let (found, value) = unsafe { node.as_ref() };
        assert_eq!(*found, key);
        Some(value.clone_ref(py))
    }
}

#[pyclass(frozen)]
struct Cache {
    lru: Mutex<Lru>,
    probe: DropProbe,
}

#[pymethods]
impl Cache {
    fn get(&self, py: Python<'_>, key: u64) -> Option<Py<PyAny>> {
        self.lru.lock().unwrap().get(py, key)
    }

    fn put(&self, key: u64, value: Py<PyAny>) {
        self.lru.lock().unwrap().put(key, value);
    }
}

#[test]
fn no_cursor_outlives_its_node() {
    alone(|py| {
        let drops = DropCounter::new();
        let cache = Bound::new(py, Cache { lru: Mutex::default(), probe: drops.probe() }).unwrap();
        for key in 0..100 {
            let list = pyo3::types::PyList::new(py, [cache.as_any()]).unwrap();
            cache.get().put(key, list.into_any().unbind());
        }
        assert!(cache.get().get(py, 7).is_some());
        clear(cache.as_any());
        for key in 0..100 {
            assert!(cache.get().get(py, key).is_none());
        }
        cache.get().put(1, cache.clone().into_any().unbind());
        assert!(cache.get().get(py, 1).is_some(), "it is as good as new");
        drop(cache);
        collect(py).unwrap();
        assert_eq!(drops.dropped(), 1);
    });
}

/// A value that is never cleared: its neighbours break the cycle.
#[derive(pyo3_gc::PyGcTraversable)]
#[pyo3_gc(clear = false)]
struct Kept {
    object: Option<Py<PyAny>>,
    locked: Mutex<Option<Py<PyAny>>>,
}

#[pyclass]
struct KeepsPart {
    kept: Kept,
    peer: Option<Py<PyAny>>,
    probe: DropProbe,
}

#[pymethods]
impl KeepsPart {}

#[test]
fn a_container_is_left_alone() {
    alone(|py| {
        let mut kept = Kept { object: Some(py.None()), locked: Mutex::new(Some(py.None())) };
        pyo3_gc::PyGcTraversable::clear(&mut kept);
        pyo3_gc::PyGcTraversable::clear_interior(&kept);
        assert!(kept.object.is_some() && kept.locked.lock().unwrap().is_some());

        let drops = DropCounter::new();
        let object = drops.object(py).unwrap();
        let kept = Kept { object: Some(object.clone().unbind()), locked: Mutex::default() };
        let holder = Bound::new(py, KeepsPart { kept, peer: None, probe: drops.probe() }).unwrap();
        object.setattr("peer", &holder).unwrap();
        holder.borrow_mut().peer = Some(holder.clone().into_any().unbind());
        drop((object, holder));
        collect(py).unwrap();
        // It was visited, and its own cycle, through the object, stays closed.
        assert_eq!(drops.dropped(), 0);
    });
}

/// Doesn't implement the trait.
#[derive(Default)]
struct Foreign(u8);

/// A leaf whose default is put in its place, among fields that are emptied.
#[derive(pyo3_gc::PyGcTraversable)]
struct Counted<T: Default> {
    #[pyo3_gc(clear = true)]
    length: usize,
    #[pyo3_gc(clear = true)]
    other: T,
    #[pyo3(gc = false)]
    #[pyo3_gc(clear = true)]
    excluded: Foreign,
    items: Vec<Py<PyAny>>,
}

#[test]
fn defaults_take_the_place_of_leaves_and_of_parameters() {
    alone(|py| {
        let (other, excluded) = (String::from("other"), Foreign(1));
        let mut counted = Counted { length: 1, other, excluded, items: vec![py.None()] };
        pyo3_gc::PyGcTraversable::clear(&mut counted);
        let Counted { length, other, excluded, items } = &counted;
        assert_eq!((*length, other.as_str(), excluded.0, items.len()), (0, "", 0, 0));
    });
}
