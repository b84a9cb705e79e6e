//! Containers, cells and locks of other crates: what they hold is visited and let go of, keys and values alike.

#![cfg(feature = "all")]

use pyo3::prelude::*;
use pyo3_gc::PyGcTraversable;

use crate::support;
use crate::support::field::field_tests;
use crate::support::key::Key;

type Object = Py<PyAny>;

field_tests!(LetsGo {
    arrayvec: arrayvec::ArrayVec<Object, 4> = |own| [own(), own()].into_iter().collect();
    smallvec_inline: smallvec::SmallVec<[Object; 4]> = |own| smallvec::smallvec![own(), own()];
    smallvec_spilled: smallvec::SmallVec<[Object; 1]> = |own| smallvec::smallvec![own(), own(), own()];

    ahash_values: ahash::AHashMap<u8, Object> = |own| [(1, own()), (2, own())].into_iter().collect();
    ahash_keys: ahash::AHashMap<Key, u8> = |own| [(Key(1, own()), 1)].into_iter().collect();
    ahash_both: ahash::AHashMap<Key, Object> = |own| [(Key(1, own()), own())].into_iter().collect();
    ahash_set: ahash::AHashSet<Key> = |own| [Key(1, own()), Key(2, own())].into_iter().collect();

    hashbrown_values: hashbrown::HashMap<u8, Object, std::hash::RandomState> =
        |own| [(1, own()), (2, own())].into_iter().collect();
    hashbrown_keys: hashbrown::HashMap<Key, u8, std::hash::RandomState> =
        |own| [(Key(1, own()), 1)].into_iter().collect();
    hashbrown_both: hashbrown::HashMap<Key, Object, std::hash::RandomState> =
        |own| [(Key(1, own()), own())].into_iter().collect();
    hashbrown_set: hashbrown::HashSet<Key, std::hash::RandomState> =
        |own| [Key(1, own()), Key(2, own())].into_iter().collect();

    indexmap_values: indexmap::IndexMap<u8, Object> = |own| [(1, own()), (2, own())].into_iter().collect();
    indexmap_keys: indexmap::IndexMap<Key, u8> = |own| [(Key(1, own()), 1)].into_iter().collect();
    indexmap_both: indexmap::IndexMap<Key, Object> = |own| [(Key(1, own()), own())].into_iter().collect();
    indexmap_set: indexmap::IndexSet<Key> = |own| [Key(1, own()), Key(2, own())].into_iter().collect();

    smallvec_iterator: smallvec::IntoIter<[Object; 2]> = |own| {
        let mut rest = smallvec::SmallVec::<[Object; 2]>::from_vec(vec![own(), own(), own()]).into_iter();
        rest.next();
        rest
    };
    hashbrown_table: hashbrown::HashTable<Object> = |own| {
        let mut table = hashbrown::HashTable::new();
        for hash in 0..3 {
            table.insert_unique(hash, own(), |_| 0);
        }
        table
    };
    indexmap_iterator: indexmap::map::IntoIter<Key, Object> = |own| {
        let mut rest =
            indexmap::IndexMap::<_, _>::from([(Key(1, own()), own()), (Key(2, own()), own())]).into_iter();
        rest.next_back();
        rest
    };
    indexset_iterator: indexmap::set::IntoIter<Key> = |own| {
        let mut rest = indexmap::IndexSet::<_>::from([Key(1, own()), Key(2, own())]).into_iter();
        rest.next();
        rest
    };

    http_headers: http::HeaderMap<Object> = |own| {
        let mut headers = http::HeaderMap::default();
        headers.append("a", own());
        headers.append("a", own());
        headers.append("a", own());
        headers.append("b", own());
        headers
    };

    either_left: either::Either<Object, u8> = |own| either::Either::Left(own());
    either_right: either::Either<u8, Vec<Object>> = |own| either::Either::Right(vec![own(), own()]);
    complex: num_complex::Complex<Option<Object>> = |own| num_complex::Complex { re: Some(own()), im: None };

    once_cell_unsync: once_cell::unsync::OnceCell<Object> = |own| own().into();
    once_cell_sync: once_cell::sync::OnceCell<Object> = |own| own().into();
    once_cell_lazy: once_cell::unsync::Lazy<Option<Object>, Box<dyn FnOnce() -> Option<Object>>> = |own| {
        let object = own();
        let lazy: once_cell::unsync::Lazy<_, Box<dyn FnOnce() -> Option<Object>>> =
            once_cell::unsync::Lazy::new(Box::new(move || Some(object)));
        once_cell::unsync::Lazy::force(&lazy);
        lazy
    };
    tokio_once_cell: tokio::sync::OnceCell<Object> = |own| tokio::sync::OnceCell::new_with(Some(own()));

    parking_lot_mutex: parking_lot::Mutex<Option<Object>> = |own| parking_lot::Mutex::new(Some(own()));
    parking_lot_rwlock: parking_lot::RwLock<Vec<Object>> = |own| parking_lot::RwLock::new(vec![own(), own()]);
    tokio_mutex: tokio::sync::Mutex<Option<Object>> = |own| tokio::sync::Mutex::new(Some(own()));
    tokio_rwlock: tokio::sync::RwLock<Vec<Object>> = |own| tokio::sync::RwLock::new(vec![own(), own()]);
});

/// A lock that is held is skipped, at once and by both hooks, and seen again once it is free.
macro_rules! contended {
    ($($name:ident: $lock:ty, $hold:ident;)+) => {$(
        #[test]
        fn $name() {
            #[pyo3::pyclass(frozen)]
            #[derive(PyGcTraversable)]
            struct Locked {
                field: $lock,
            }
            support::frozen_hooks!(Locked);

            support::alone(|py| {
                let target = support::object(py);
                let locked = Bound::new(py, Locked { field: <$lock>::new(Some(target.clone().unbind())) }).unwrap();
                let held = locked.get().field.$hold();
                assert_eq!(support::visits(locked.as_any(), &target), 0);
                locked.get().clear_interior();
                drop(held);
                assert_eq!(support::visits(locked.as_any(), &target), 1);
                locked.get().clear_interior();
                assert_eq!(support::visits(locked.as_any(), &target), 0);
            });
        }
    )+};
}

contended! {
    contended_parking_lot_mutex: parking_lot::Mutex<Option<Object>>, lock;
    contended_parking_lot_rwlock: parking_lot::RwLock<Option<Object>>, write;
    contended_tokio_mutex: tokio::sync::Mutex<Option<Object>>, blocking_lock;
    contended_tokio_rwlock: tokio::sync::RwLock<Option<Object>>, blocking_write;
}

#[test]
fn a_reader_elsewhere_does_not_hide_an_rwlock_but_keeps_it_from_being_cleared() {
    #[pyo3::pyclass(frozen)]
    #[derive(PyGcTraversable)]
    struct Locked {
        field: parking_lot::RwLock<Option<Object>>,
    }
    support::frozen_hooks!(Locked);

    support::alone(|py| {
        let target = support::object(py);
        let field = parking_lot::RwLock::new(Some(target.clone().unbind()));
        let locked = Bound::new(py, Locked { field }).unwrap();
        let reader = locked.get().field.read();
        assert_eq!(support::visits(locked.as_any(), &target), 1);
        locked.get().clear_interior();
        assert!(reader.is_some(), "not taken away under the reader");
    });
}

#[test]
fn an_initialiser_that_has_not_run_is_not_forced() {
    let lazy = once_cell::sync::Lazy::new(|| -> Option<Object> { panic!("forced") });
    lazy.clear_interior();
    let mut lazy = lazy;
    lazy.clear();
    assert!(once_cell::sync::Lazy::get(&lazy).is_none());
}
