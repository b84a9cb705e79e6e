//! `indexmap`: keys and values, any hasher.

use indexmap::{IndexMap, IndexSet, map, set};

use crate::impls::{map, sequence};

map!(impl[S] IndexMap<K, V, S>, |this| this.drain(..).collect::<Vec<_>>());
sequence!(impl[S] IndexSet<T, S>, |this| this.drain(..).collect::<Vec<_>>());

map!(impl[] map::IntoIter<K, V>, iter |rest| rest.as_slice(), |rest| rest.collect::<Vec<_>>());
sequence!(impl[] set::IntoIter<T>, iter |rest| rest.as_slice(), |rest| rest.collect::<Vec<_>>());
