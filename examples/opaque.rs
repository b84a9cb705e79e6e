//! `PyGcOpaque`: keys of a map, a break point, and the price.
//!
//! A cache maps Python objects to Python objects. Its keys are opaque: they are compared with Python's own `==` at any
//! time, so that nothing may take them away before the map goes. Its settings are a break point: a large table that
//! refers to nothing of ours, which a collection need not walk into from here.

use std::collections::HashMap;
use std::hash::{Hash, Hasher};

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyWeakrefMethods, PyWeakrefReference};
use pyo3_gc::{PyGcOpaque, pyclass, pymethods};

/// A Python object as a key: its hash is taken once, its equality is Python's.
struct Key {
    object: Py<PyAny>,
    hash: isize,
}

impl Key {
    fn new(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(Self { hash: object.hash()?, object: object.clone().unbind() })
    }
}

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.hash.hash(state);
    }
}

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        self.hash == other.hash
            && Python::attach(|py| self.object.bind(py).eq(other.object.bind(py)).unwrap_or(false))
    }
}

impl Eq for Key {}

#[pyclass(weakref)]
struct Cache {
    /// The values are visited and cleared. The keys are neither, and need no implementation of the trait.
    entries: HashMap<PyGcOpaque<Key>, Py<PyAny>>,
    /// `cache.settings` works as if the wrapper weren't there.
    #[pyo3(get)]
    settings: PyGcOpaque<Py<PyDict>>,
}

#[pymethods]
impl Cache {
    fn __getitem__(&self, key: &Bound<'_, PyAny>) -> PyResult<Option<&Py<PyAny>>> {
        Ok(self.entries.get(&Key::new(key)?))
    }

    fn __setitem__(&mut self, key: &Bound<'_, PyAny>, value: Py<PyAny>) -> PyResult<()> {
        self.entries.insert(Key::new(key)?.into(), value);
        Ok(())
    }
}

/// Whether the cache is gone after a collection.
fn is_collected(py: Python<'_>, cache: Bound<'_, Cache>) -> PyResult<bool> {
    let weak = PyWeakrefReference::new(&cache)?;
    drop(cache);
    py.import("gc")?.call_method0("collect")?;
    Ok(weak.upgrade().is_none())
}

fn main() -> PyResult<()> {
    Python::attach(|py| {
        let settings = PyDict::new(py);
        settings.set_item("size", 10)?;
        let cache =
            || Bound::new(py, Cache { entries: HashMap::new(), settings: settings.clone().unbind().into() });

        let by_value = cache()?;
        by_value.set_item("me", &by_value)?;
        println!("a value that refers back:      {}", outcome(is_collected(py, by_value)?));

        let by_setting = cache()?;
        assert_eq!(by_setting.getattr("settings")?.get_item("size")?.extract::<u32>()?, 10);
        println!("settings, shared and opaque:   {}", outcome(is_collected(py, by_setting)?));

        let by_key = cache()?;
        by_key.set_item(&by_key, 1)?;
        println!("a key that refers back:        {}", outcome(is_collected(py, by_key)?));
        Ok(())
    })
}

fn outcome(collected: bool) -> &'static str {
    if collected { "collected" } else { "leaked, as documented" }
}

#[cfg(test)]
mod tests {
    use pyo3_gc::testing::ClassCheck;

    use super::*;

    #[test]
    fn the_hooks_are_right() {
        Python::attach(|py| {
            let report = ClassCheck::new().hides("key").hides("settings").run(py, |sentinels| {
                let settings = sentinels.register("settings", PyDict::new(py))?;
                let cache = Cache { entries: HashMap::new(), settings: settings.into() };
                let cache = Bound::new(py, cache)?;
                cache.set_item(sentinels.object("key")?, sentinels.object("value")?)?;
                Ok(cache)
            });
            report.unwrap().assert_correct();
        });
    }
}
