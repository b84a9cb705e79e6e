//! The collections of std: elements, keys and values.

use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};
use std::hash::{BuildHasherDefault, DefaultHasher, Hasher};

use pyo3::prelude::*;
use pyo3_gc::PyGcTraversable;

use crate::support;
use crate::support::field::field_tests;
use crate::support::key::Key;

type Object = Py<PyAny>;

/// A hasher without a default.
#[derive(Clone)]
struct Seeded(u64);

impl std::hash::BuildHasher for Seeded {
    type Hasher = DefaultHasher;

    fn build_hasher(&self) -> DefaultHasher {
        let mut hasher = DefaultHasher::new();
        hasher.write_u64(self.0);
        hasher
    }
}

type DefaultBuild = BuildHasherDefault<DefaultHasher>;

field_tests!(LetsGo {
    vec: Vec<Object> = |own| vec![own(), own(), own()];
    vec_of_options: Vec<Option<Object>> = |own| vec![None, Some(own()), None];
    vec_of_vecs: Vec<Vec<Object>> = |own| vec![vec![own()], vec![], vec![own(), own()]];
    vec_deque: VecDeque<Object> = |own| {
        // Wraps around the end of its buffer.
        let mut deque = VecDeque::with_capacity(4);
        deque.extend([own(), own()]);
        deque.push_front(own());
        deque
    };
    linked_list: LinkedList<Object> = |own| LinkedList::from([own(), own()]);
    binary_heap: BinaryHeap<Key> = |own| BinaryHeap::from([Key(1, own()), Key(2, own())]);
    btree_set: BTreeSet<Key> = |own| BTreeSet::from([Key(1, own()), Key(2, own())]);
    hash_set: HashSet<Key> = |own| HashSet::from([Key(1, own()), Key(2, own())]);
    hash_set_with_hasher: HashSet<Key, DefaultBuild> = |own| HashSet::from_iter([Key(1, own())]);

    btree_map_values: BTreeMap<u8, Object> = |own| BTreeMap::from([(1, own()), (2, own())]);
    btree_map_keys: BTreeMap<Key, u8> = |own| BTreeMap::from([(Key(1, own()), 1)]);
    btree_map_both: BTreeMap<Key, Object> = |own| BTreeMap::from([(Key(1, own()), own())]);
    hash_map_values: HashMap<u8, Object> = |own| HashMap::from([(1, own()), (2, own())]);
    hash_map_keys: HashMap<Key, u8> = |own| HashMap::from([(Key(1, own()), 1)]);
    hash_map_both: HashMap<Key, Object> = |own| HashMap::from([(Key(1, own()), own())]);
    hash_map_with_hasher: HashMap<u8, Object, Seeded> = |own| {
        let mut map = HashMap::with_hasher(Seeded(7));
        map.extend([(1, own()), (2, own())]);
        map
    };
    hash_map_nested: HashMap<String, Vec<(u8, Option<Object>)>> = |own| {
        HashMap::from([(String::from("a"), vec![(1, Some(own())), (2, None), (3, Some(own()))])])
    };
});

#[test]
fn cleared_collections_are_empty_and_usable() {
    support::alone(|py| {
        let mut list = vec![py.None()];
        PyGcTraversable::clear(&mut list);
        assert!(list.is_empty());
        list.push(py.None());
        assert_eq!(list.len(), 1);

        let mut map = HashMap::with_hasher(Seeded(7));
        map.insert(1, py.None());
        PyGcTraversable::clear(&mut map);
        assert!(map.is_empty());
        assert_eq!(map.hasher().0, 7, "the hasher stays");
        map.insert(1, py.None());
        assert!(map.contains_key(&1));

        let mut heap = BinaryHeap::from([Key(1, py.None()), Key(2, py.None())]);
        PyGcTraversable::clear(&mut heap);
        assert!(heap.is_empty());
        heap.extend([Key(1, py.None()), Key(3, py.None()), Key(2, py.None())]);
        assert_eq!(heap.pop().map(|key| key.0), Some(3));
    });
}

/// What is behind a lock in a collection can be cleared through a shared reference, and nothing else.
#[test]
fn clear_interior_goes_through_elements() {
    use std::sync::Mutex;

    support::alone(|py| {
        let list = vec![Mutex::new(Some(py.None())), Mutex::new(None)];
        list.clear_interior();
        assert_eq!(list.len(), 2);
        assert!(list.iter().all(|lock| lock.lock().unwrap().is_none()));

        let map = HashMap::from([(1, Mutex::new(vec![py.None()]))]);
        map.clear_interior();
        assert!(map[&1].lock().unwrap().is_empty());

        let bare = vec![py.None()];
        bare.clear_interior();
        assert_eq!(bare.len(), 1);
    });
}
