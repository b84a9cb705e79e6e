//! `hashbrown`: keys and values, any hasher.

use hashbrown::{HashMap, HashSet, HashTable};

use crate::impls::{map, sequence};

map!(impl[S] HashMap<K, V, S>, |this| this.drain().collect::<Vec<_>>());
sequence!(impl[S] HashSet<T, S>, |this| this.drain().collect::<Vec<_>>());
sequence!(impl[] HashTable<T>, |this| this.drain().collect::<Vec<_>>());
