//! `indexmap`: keys and values, any hasher.

use indexmap::{IndexMap, IndexSet};

use crate::impls::{map, sequence};

map!(impl[S] IndexMap<K, V, S>, |this| this.drain(..).collect::<Vec<_>>());
sequence!(impl[S] IndexSet<T, S>, |this| this.drain(..).collect::<Vec<_>>());
