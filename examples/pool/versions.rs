//! A persistent map, from which maps are derived that share its inner nodes. How many maps own an entry can't be told, but
//! handles needn't: all maps that are derived from one another share a pool.
//!
//! What the collector sees is exact for the family as a whole: an object is kept while an entry with it is left in any map, and
//! the last map takes all of them along. What it can't see is which map an entry is in. So a garbage map of which one entry
//! leads back to it is kept until all maps of its family are garbage, or until the entry is dropped with the last map that has
//! it. A map that goes by its reference count lets go of its entries at once. Where that is too long, `copy` starts a family of
//! its own.

use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3_gc::{PyGcPool, PyGcPooled, pyclass, pymethods};
use rpds::HashTrieMapSync;

use crate::namespace;

#[pyclass(frozen, weakref)]
pub(crate) struct Map {
    pool: PyGcPool,
    #[pyo3(gc = false)]
    entries: HashTrieMapSync<String, PyGcPooled<PyAny>>,
}

#[pymethods]
impl Map {
    #[new]
    fn new(py: Python<'_>) -> PyResult<Self> {
        Ok(Self { pool: PyGcPool::new(py)?, entries: HashTrieMapSync::new_sync() })
    }

    fn insert(&self, py: Python<'_>, key: String, value: Py<PyAny>) -> Self {
        let value = self.pool.put(py, value);
        Self { pool: self.pool.clone_ref(py), entries: self.entries.insert(key, value) }
    }

    fn remove(&self, py: Python<'_>, key: &str) -> Self {
        Self { pool: self.pool.clone_ref(py), entries: self.entries.remove(key) }
    }

    /// The same entries, in a map that shares nothing.
    fn copy(&self, py: Python<'_>) -> PyResult<Self> {
        let pool = PyGcPool::new(py)?;
        let entries = self.entries.iter().filter_map(|(key, value)| {
            let value = value.get(py)?.unbind();
            Some((key.clone(), pool.put(py, value)))
        });
        Ok(Self { entries: entries.collect(), pool })
    }

    fn __getitem__<'py>(&self, py: Python<'py>, key: &str) -> PyResult<Bound<'py, PyAny>> {
        let value = self.entries.get(key).and_then(|value| value.get(py));
        value.ok_or_else(|| PyKeyError::new_err(key.to_owned()))
    }

    fn __len__(&self) -> usize {
        self.entries.size()
    }
}

/// A map, and another one that was derived from it, with an entry in each that leads to both.
pub(crate) fn versions(py: Python<'_>) -> PyResult<(Bound<'_, Map>, Bound<'_, Map>)> {
    let (first, second) = (namespace(py)?, namespace(py)?);
    let old = Bound::new(py, Map::new(py)?.insert(py, "first".into(), first.clone().unbind()))?;
    let new = Bound::new(py, old.get().insert(py, "second".into(), second.clone().unbind()))?;
    for entry in [&first, &second] {
        entry.setattr("versions", (&old, &new))?;
    }
    Ok((old, new))
}

#[cfg(test)]
mod tests {
    use pyo3::types::PyWeakrefReference;

    use super::*;
    use crate::collect;

    #[test]
    fn a_family_of_maps_is_collected_with_its_last_member() -> PyResult<()> {
        Python::attach(|py| {
            let (old, new) = versions(py)?;
            let (weak_old, weak_new) = (PyWeakrefReference::new(&old)?, PyWeakrefReference::new(&new)?);
            drop(old);
            // The new one leads to it as well, by its own entries.
            assert_eq!((collect(&weak_old)?, new.len()?), ("alive", 2));
            assert!(new.get_item("first")?.getattr("versions")?.get_item(1)?.is(&new));
            drop(new);
            assert_eq!((collect(&weak_old)?, collect(&weak_new)?), ("collected", "collected"));
            Ok(())
        })
    }

    /// What is kept, and until when.
    #[test]
    fn an_entry_of_one_map_is_kept_by_its_family() -> PyResult<()> {
        Python::attach(|py| {
            let base = Bound::new(py, Map::new(py)?)?;
            let entry = namespace(py)?;
            let map = Bound::new(py, base.get().insert(py, "entry".into(), entry.clone().unbind()))?;
            let copy = Bound::new(py, map.get().copy(py)?)?;
            let copied = Bound::new(py, copy.get().remove(py, "entry"))?;
            entry.setattr("map", &map)?;
            let weak = PyWeakrefReference::new(&map)?;

            drop((map, entry, copy));
            assert_eq!(collect(&weak)?, "alive", "no map has the entry, but its own");
            drop(base);
            assert_eq!(collect(&weak)?, "collected", "the copy is of another family");
            assert_eq!(copied.len()?, 0);
            Ok(())
        })
    }

    #[test]
    fn a_map_that_is_part_of_no_cycle_lets_go_of_its_entries() -> PyResult<()> {
        Python::attach(|py| {
            let base = Bound::new(py, Map::new(py)?)?;
            let map = base.get().insert(py, "entry".into(), namespace(py)?.unbind());
            let both = map.insert(py, "other".into(), namespace(py)?.unbind());
            assert_eq!(base.get().pool.len(py), 2);
            drop(both);
            assert_eq!(base.get().pool.len(py), 1);
            drop(map.remove(py, "entry"));
            assert_eq!((map.entries.size(), base.get().pool.len(py)), (1, 1));
            drop(map);
            assert_eq!(base.get().pool.len(py), 0);
            Ok(())
        })
    }
}
