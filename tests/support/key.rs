//! Python objects as keys, whatever the map or set.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

use pyo3::prelude::*;
use pyo3_gc::PyGcTraversable;

/// An object that can be a key, since it is told from others by a number.
#[derive(PyGcTraversable)]
pub(crate) struct Key(pub(crate) u8, pub(crate) Py<PyAny>);

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl Eq for Key {}

impl PartialOrd for Key {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Key {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.cmp(&other.0)
    }
}

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}
