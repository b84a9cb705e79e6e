//! That the imports which the docs recommend take over no method of std's, of the crates that features cover, or of a user's
//! own types. (With the trait itself in scope, `.clear()` behind a `Deref` is the trait's.)

#![deny(warnings)]

/// What each module below does, whatever it has imported.
macro_rules! methods_are_their_own {
    () => {
        /// A type of the user's with a `clear` and a `traverse` of its own, behind a pointer.
        #[derive(pyo3_gc::PyGcTraversable)]
        struct Own {
            items: Vec<u8>,
        }

        impl Own {
            fn clear(&mut self) {
                self.items.clear();
            }

            fn traverse(&self) -> usize {
                self.items.len()
            }
        }

        #[test]
        fn methods_are_their_own() {
            use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};
            use std::sync::Mutex;

            macro_rules! is_emptied {
                ($value:expr) => {{
                    let mut value = $value;
                    assert!(!value.is_empty());
                    value.clear();
                    assert!(value.is_empty(), "`.clear()` of {}", stringify!($value));
                }};
            }
            is_emptied!(vec![1_u8]);
            is_emptied!(Box::new(vec![1_u8]));
            is_emptied!(Box::new(Box::new(vec![1_u8])));
            is_emptied!(String::from("text"));
            is_emptied!(Box::new(String::from("text")));
            is_emptied!(VecDeque::from([1_u8]));
            is_emptied!(LinkedList::from([1_u8]));
            is_emptied!(BinaryHeap::from([1_u8]));
            is_emptied!(HashMap::from([(1_u8, 1_u8)]));
            is_emptied!(Box::new(HashMap::from([(1_u8, 1_u8)])));
            is_emptied!(HashSet::from([1_u8]));
            is_emptied!(BTreeMap::from([(1_u8, 1_u8)]));
            is_emptied!(BTreeSet::from([1_u8]));
            is_emptied!(pyo3_gc::PyGcOpaque::new(vec![1_u8]));
            is_emptied!(std::mem::ManuallyDrop::new(vec![1_u8]));
            is_emptied!(std::panic::AssertUnwindSafe(vec![1_u8]));
            let locked = Mutex::new(vec![1_u8]);
            locked.lock().unwrap().clear();
            assert!(locked.lock().unwrap().is_empty());
            let mut own = Box::new(Own { items: vec![1_u8] });
            assert_eq!(own.traverse(), 1);
            own.clear();
            assert!(own.items.is_empty());
            #[cfg(feature = "all")]
            {
                is_emptied!(ahash::AHashMap::from([(1_u8, 1_u8)]));
                is_emptied!(ahash::AHashSet::from([1_u8]));
                is_emptied!(smallvec::SmallVec::<[u8; 4]>::from_slice(&[1]));
                is_emptied!(arrayvec::ArrayVec::<u8, 4>::from_iter([1]));
                is_emptied!(indexmap::IndexMap::<u8, u8>::from_iter([(1, 1)]));
                is_emptied!(indexmap::IndexSet::<u8>::from_iter([1]));
                is_emptied!(hashbrown::HashMap::<u8, u8, std::hash::RandomState>::from_iter([(1, 1)]));
                is_emptied!(hashbrown::HashSet::<u8, std::hash::RandomState>::from_iter([1]));
                is_emptied!(bytes::BytesMut::from(&b"text"[..]));
                is_emptied!(serde_json::Map::from_iter([(String::from("key"), serde_json::Value::Null)]));
                let locked = parking_lot::Mutex::new(vec![1_u8]);
                locked.lock().clear();
                assert!(locked.lock().is_empty());
            }
        }
    };
}

mod beside_the_prelude {
    #[allow(unused_imports, reason = "as the docs say")]
    use pyo3::prelude::*;
    #[allow(unused_imports, reason = "as the docs say")]
    use pyo3_gc::{pyclass, pymethods, traversable};

    methods_are_their_own!();
}

mod in_place_of_the_prelude {
    #[allow(unused_imports, reason = "as the docs say")]
    use pyo3_gc::prelude::*;

    methods_are_their_own!();
}
