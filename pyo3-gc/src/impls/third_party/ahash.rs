//! `ahash`: its maps, whose keys and values are visited, and its hashers.

use ahash::{AHashMap, AHashSet, AHasher, RandomState};

use crate::impls::{map, sequence};
use crate::leaf;

map!(impl[S] AHashMap<K, V, S>, |this| this.drain().collect::<Vec<_>>());
sequence!(impl[S] AHashSet<T, S>, |this| this.drain().collect::<Vec<_>>());
leaf!(AHasher, RandomState);
