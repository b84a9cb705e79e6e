//! A cache that threads share. A `DashMap` can't be looked into without waiting for its locks.

use dashmap::DashMap;
use pyo3::prelude::*;
use pyo3_gc::{PyGcPool, PyGcPooled, pyclass, pymethods};

use crate::namespace;

#[pyclass(frozen, weakref)]
pub(crate) struct Cache {
    pool: PyGcPool,
    #[pyo3(gc = false)]
    entries: DashMap<String, PyGcPooled<PyAny>>,
}

#[pymethods]
impl Cache {
    #[new]
    fn new(py: Python<'_>) -> PyResult<Self> {
        Ok(Self { pool: PyGcPool::new(py)?, entries: DashMap::new() })
    }

    fn __setitem__(&self, py: Python<'_>, key: String, value: Py<PyAny>) {
        let value = self.pool.put(py, value);
        let previous = self.entries.insert(key, value);
        drop(previous); // may run any code: not under the lock of a shard
    }

    fn get<'py>(&self, py: Python<'py>, key: &str) -> Option<Bound<'py, PyAny>> {
        self.entries.get(key)?.get(py)
    }

    fn pop(&self, py: Python<'_>, key: &str) -> Option<Py<PyAny>> {
        let (_, value) = self.entries.remove(key)?;
        value.take(py)
    }

    fn __len__(&self) -> usize {
        self.entries.len()
    }
}

/// A cache with entries that lead back to it.
pub(crate) fn cache(py: Python<'_>) -> PyResult<Bound<'_, Cache>> {
    let cache = Bound::new(py, Cache::new(py)?)?;
    for number in 0..100 {
        let entry = namespace(py)?;
        entry.setattr("cache", &cache)?;
        cache.set_item(number.to_string(), entry)?;
    }
    Ok(cache)
}

#[cfg(test)]
mod tests {
    use std::thread;

    use pyo3::types::PyWeakrefReference;

    use super::*;
    use crate::collect;

    #[test]
    fn entries_that_lead_back_to_their_cache_are_collected() -> PyResult<()> {
        Python::attach(|py| {
            let cache = cache(py)?;
            let weak = PyWeakrefReference::new(&cache)?;
            cache.set_item("1", 1)?;
            assert_eq!(cache.get().get(py, "1").unwrap().extract::<i32>()?, 1);
            assert_eq!((cache.len()?, cache.get().pool.len(py)), (100, 99));
            assert!(cache.get().pop(py, "2").is_some());
            assert_eq!(collect(&weak)?, "alive");
            drop(cache);
            assert_eq!(collect(&weak)?, "collected");
            Ok(())
        })
    }

    #[test]
    fn threads_share_it() -> PyResult<()> {
        Python::attach(|py| {
            let cache = cache(py)?.unbind();
            py.detach(|| {
                thread::scope(|scope| {
                    for number in 0..8 {
                        let cache = &cache;
                        scope.spawn(move || {
                            for key in (number..100).step_by(8) {
                                let key = key.to_string();
                                Python::attach(|py| assert!(cache.get().get(py, &key).is_some()));
                                // Not attached: a lock of a shard is held, and a handle dropped.
                                cache.get().entries.remove(&key);
                            }
                        });
                    }
                });
            });
            // Without a GIL, what a thread drops may wait for the thread that made it, or for a collection.
            pyo3_gc::testing::collect(py)?;
            assert_eq!((cache.bind(py).len()?, cache.get().pool.len(py)), (0, 0));
            Ok(())
        })
    }
}
