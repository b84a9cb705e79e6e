//! A boxed closure in a registry that knows nothing of Python. It calls a Python function, which leads back to the owner.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use pyo3::prelude::*;
use pyo3_gc::{PyGcPool, pyclass, pymethods};

use crate::namespace;

/// As another crate has it, for the whole process.
static REGISTRY: Registry = Registry { observers: Mutex::new(Vec::new()), next: AtomicU64::new(0) };

type Observer = Arc<dyn Fn(&str) + Send + Sync>;

struct Registry {
    observers: Mutex<Vec<(u64, Observer)>>,
    next: AtomicU64,
}

impl Registry {
    fn subscribe(&self, observer: Observer) -> Subscription {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        self.observers.lock().unwrap().push((id, observer));
        Subscription(id)
    }

    fn publish(&self, event: &str) {
        let observers: Vec<_> = self.observers.lock().unwrap().iter().map(|(_, f)| Arc::clone(f)).collect();
        for observer in observers {
            observer(event);
        }
    }
}

pub(crate) fn observers() -> usize {
    REGISTRY.observers.lock().unwrap().len()
}

/// Ends with its owner.
struct Subscription(u64);
pyo3_gc::leaf!(Subscription);

impl Drop for Subscription {
    fn drop(&mut self) {
        let mut observers = REGISTRY.observers.lock().unwrap();
        let place = observers.iter().position(|(id, _)| *id == self.0);
        let ended = place.map(|place| observers.swap_remove(place));
        drop(observers);
        drop(ended); // a handle goes with it, for which no lock should be held
    }
}

#[pyclass(weakref)]
pub(crate) struct Document {
    pool: PyGcPool,
    subscriptions: Vec<Subscription>,
}

#[pymethods]
impl Document {
    #[new]
    fn new(py: Python<'_>) -> PyResult<Self> {
        Ok(Self { pool: PyGcPool::new(py)?, subscriptions: Vec::new() })
    }

    fn observe(&mut self, py: Python<'_>, callable: Py<PyAny>) {
        let callable = self.pool.put(py, callable);
        let observer = move |event: &str| {
            Python::attach(|py| {
                // `None` once the document is gone.
                let Some(callable) = callable.get(py) else { return };
                if let Err(error) = callable.call1((event,)) {
                    error.write_unraisable(py, Some(&callable));
                }
            });
        };
        self.subscriptions.push(REGISTRY.subscribe(Arc::new(observer)));
    }
}

/// A document that is observed by what leads back to it.
pub(crate) fn document(py: Python<'_>) -> PyResult<Bound<'_, Document>> {
    let document = Bound::new(py, Document::new(py)?)?;
    let observer = namespace(py)?;
    observer.setattr("document", &document)?;
    observer.setattr("events", Vec::<String>::new())?;
    let code = c"lambda observer: lambda event: observer.events.append(event)";
    let callable = py.eval(code, None, None)?.call1((&observer,))?;
    document.call_method1("observe", (callable,))?;
    REGISTRY.publish("opened");
    assert_eq!(observer.getattr("events")?.len()?, 1);
    Ok(document)
}

#[cfg(test)]
mod tests {
    use pyo3::types::PyWeakrefReference;

    use super::*;
    use crate::collect;

    #[test]
    fn an_observer_that_leads_back_to_its_owner_is_collected() -> PyResult<()> {
        Python::attach(|py| {
            let document = document(py)?;
            let weak = PyWeakrefReference::new(&document)?;
            assert_eq!((collect(&weak)?, observers()), ("alive", 1));
            drop(document);
            assert_eq!((collect(&weak)?, observers()), ("collected", 0));
            REGISTRY.publish("nobody hears");
            Ok(())
        })
    }
}
