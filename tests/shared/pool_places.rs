//! Handles in everything that can't be looked into: the object leads back to the class that holds it, and both are collected,
//! although somebody else shares the place where it is possible.

use std::any::Any;
use std::ffi::c_void;
use std::future::Future;
use std::pin::Pin;
use std::sync::mpsc::sync_channel;
use std::sync::{Arc, Mutex};
use std::thread;

use dashmap::DashMap;
use pyo3::prelude::*;
use pyo3_gc::{PyGcPool, PyGcPooled, pyclass, pymethods};
use rpds::{HashTrieMapSync, VectorSync};

use crate::support::{DropCounter, DropProbe, alone, collect, object};

type Handle = PyGcPooled<PyAny>;
type Place = Box<dyn Any + Send + Sync>;

#[pyclass]
struct Holder {
    pool: PyGcPool,
    #[pyo3(gc = false)]
    place: Option<Place>,
    probe: DropProbe,
}

#[pymethods]
impl Holder {}

/// As a C library has it.
struct UserData(*mut c_void);

// SAFETY: it owns a boxed handle, which is both.
unsafe impl Send for UserData {}
// SAFETY: as above.
unsafe impl Sync for UserData {}

impl UserData {
    fn new(handle: Handle) -> Self {
        Self(Box::into_raw(Box::new(handle)).cast())
    }
}

impl Drop for UserData {
    fn drop(&mut self) {
        // SAFETY: `new` made it from a box, and this is the only place that makes it one again.
        drop(unsafe { Box::from_raw(self.0.cast::<Handle>()) });
    }
}

/// The place of the class, and what somebody else shares of it.
type Places = fn(Handle) -> (Place, Place);

const PLACES: [(&str, Places); 10] = [
    ("a closure in a registry", |handle| {
        let closure: Arc<dyn Fn(Python<'_>) -> bool + Send + Sync> =
            Arc::new(move |py| handle.get(py).is_some());
        (Box::new(Arc::clone(&closure)), Box::new(closure))
    }),
    ("a closure that is called once", |handle| {
        let closure: Box<dyn FnOnce() -> Handle + Send> = Box::new(|| handle);
        (Box::new(Mutex::new(closure)), Box::new(()))
    }),
    ("a channel", |handle| {
        let (sender, receiver) = sync_channel(10);
        sender.send(handle.clone()).unwrap();
        sender.send(handle).unwrap();
        (Box::new(Mutex::new(receiver)), Box::new(sender))
    }),
    ("a future", |handle| {
        let future: Pin<Box<dyn Future<Output = Handle> + Send>> = Box::pin(async { handle });
        (Box::new(Mutex::new(future)), Box::new(()))
    }),
    ("a thread's result", |handle| (Box::new(thread::spawn(|| handle)), Box::new(()))),
    ("a DashMap", |handle| {
        let map = Arc::new(DashMap::new());
        map.insert(1, handle.clone());
        map.insert(2, handle);
        (Box::new(Arc::clone(&map)), Box::new(map))
    }),
    ("a persistent map", |handle| {
        let map = HashTrieMapSync::new_sync().insert(1, handle.clone());
        let derived = map.insert(2, handle);
        (Box::new(map), Box::new(derived))
    }),
    ("a persistent vector", |handle| {
        let vector = VectorSync::new_sync().push_back(handle.clone());
        let derived = vector.push_back(handle);
        (Box::new(vector), Box::new(derived))
    }),
    ("an Arc that is replaced", |handle| {
        let slot = Arc::new(Mutex::new(Arc::new(handle)));
        (Box::new(Arc::clone(&slot)), Box::new(slot))
    }),
    ("user data", |handle| (Box::new(UserData::new(handle.clone())), Box::new(UserData::new(handle)))),
];

#[test]
fn whatever_holds_the_handle_the_object_is_collected_with_its_class() {
    alone(|py| {
        for (what, place) in PLACES {
            let dropped = DropCounter::default();
            let holder = Holder { pool: PyGcPool::new(py).unwrap(), place: None, probe: dropped.probe() };
            let (holder, object) = (Bound::new(py, holder).unwrap(), object(py));
            object.setattr("holder", &holder).unwrap();
            let handle = holder.borrow().pool.put(py, object.unbind());
            let (own, others) = place(handle.clone());
            holder.borrow_mut().place = Some(own);
            collect(py);
            assert!(handle.get(py).is_some(), "{what}: somebody holds the class");
            drop(holder);
            assert_eq!(dropped.dropped(), 0, "{what}");
            collect(py);
            assert_eq!(dropped.dropped(), 1, "{what}: it leaks");
            assert!(handle.get(py).is_none(), "{what}");
            drop(others);
        }
    });
}
