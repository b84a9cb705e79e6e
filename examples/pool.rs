//! Python objects in structures that nobody can look into: a callback in a foreign registry, a channel, a concurrent map, a
//! persistent map. Each holds handles, and the class that holds the structure holds a `PyGcPool` with the objects.

use pyo3::prelude::*;
use pyo3::types::{PyWeakrefMethods, PyWeakrefReference};

#[path = "pool/cache.rs"]
mod cache;
#[path = "pool/channel.rs"]
mod channel;
#[path = "pool/observer.rs"]
mod observer;
#[path = "pool/versions.rs"]
mod versions;

/// Collects and says whether the object is gone.
fn collect(weak: &Bound<'_, PyWeakrefReference>) -> PyResult<&'static str> {
    pyo3_gc::testing::collect(weak.py())?;
    Ok(if weak.upgrade().is_none() { "collected" } else { "alive" })
}

/// A Python object that can hold others.
fn namespace(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    py.import("types")?.getattr("SimpleNamespace")?.call0()
}

/// Shows an object that leads back to itself through something hidden.
fn show<T>(what: &str, object: Bound<'_, T>) -> PyResult<()> {
    let weak = PyWeakrefReference::new(object.as_any())?;
    println!("{what}");
    println!("  while it is held: {}", collect(&weak)?);
    drop(object);
    println!("  once it isn't:    {}", collect(&weak)?);
    Ok(())
}

fn main() -> PyResult<()> {
    Python::attach(|py| {
        show("a document, observed by a closure in a registry", observer::document(py)?)?;
        println!("  left in the registry: {}", observer::observers());
        show("tasks, with results in a channel", channel::tasks(py)?)?;
        show("a cache over a DashMap", cache::cache(py)?)?;

        let (old, new) = versions::versions(py)?;
        let weak = PyWeakrefReference::new(&old)?;
        println!("two versions of a persistent map");
        drop(old);
        println!("  the old one, while the new one is held: {}", collect(&weak)?);
        drop(new);
        println!("  the old one, once it isn't:             {}", collect(&weak)?);
        Ok(())
    })
}
