//! Writing, reading and emptying one field of a real object, whatever its type.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Mutex, OnceLock, RwLock, TryLockError, TryLockResult};

use pyo3::prelude::*;
use pyo3_gc::PyGcTraversable;

use super::value::{Item, Object, Value, none};
use crate::support::key::Key;

/// A field. Nothing is dropped in here: the caller drops what is returned, once nothing is borrowed or locked.
pub(crate) trait Slot {
    /// Puts a value in, and returns what had to make room for it.
    fn put(&mut self, key: u8, value: Value) -> Option<Value>;

    /// Takes out a value that the model knows to be there.
    fn take(&mut self, position: usize, key: u8) -> Value;

    /// One more reference to each value.
    fn values(&self, py: Python<'_>) -> Vec<Value>;

    /// Runs `act` while the lock is held, if there is one.
    fn while_locked(&mut self, act: &mut dyn FnMut()) {
        act();
    }

    /// Poisons the lock, if there is one that can be.
    fn poison(&mut self) {}

    /// Takes the lock for good, if there is one.
    fn lock_forever(&mut self, for_writing: bool) {
        let _ = for_writing;
    }
}

pub(crate) const MODEL: &str = "the model knows what is there";

impl<I: Item> Slot for Option<I> {
    fn put(&mut self, _: u8, value: Value) -> Option<Value> {
        self.replace(I::from_value(value)).map(I::into_value)
    }

    fn take(&mut self, _: usize, _: u8) -> Value {
        Option::take(self).expect(MODEL).into_value()
    }

    fn values(&self, py: Python<'_>) -> Vec<Value> {
        self.iter().filter_map(|item| item.value(py)).collect()
    }
}

/// A field that always holds something, if only Python's `None`.
#[derive(PyGcTraversable)]
pub(crate) struct Bare<I>(pub(crate) I);

impl<I: Item> Slot for Bare<I> {
    fn put(&mut self, _: u8, value: Value) -> Option<Value> {
        Some(mem::replace(&mut self.0, I::from_value(value)).into_value())
    }

    fn take(&mut self, _: usize, key: u8) -> Value {
        self.put(key, Value::Object(none())).expect(MODEL)
    }

    fn values(&self, py: Python<'_>) -> Vec<Value> {
        self.0.value(py).into_iter().collect()
    }
}

/// Holds nothing when it is an error.
impl<I: Item> Slot for Result<Bare<I>, u8> {
    fn put(&mut self, _: u8, value: Value) -> Option<Value> {
        mem::replace(self, Ok(Bare(I::from_value(value)))).ok().map(|bare| bare.0.into_value())
    }

    fn take(&mut self, _: usize, _: u8) -> Value {
        mem::replace(self, Err(1)).expect(MODEL).0.into_value()
    }

    fn values(&self, py: Python<'_>) -> Vec<Value> {
        self.iter().filter_map(|bare| bare.0.value(py)).collect()
    }
}

impl<I: Item> Slot for Vec<I> {
    fn put(&mut self, _: u8, value: Value) -> Option<Value> {
        self.push(I::from_value(value));
        None
    }

    fn take(&mut self, position: usize, _: u8) -> Value {
        self.remove(position).into_value()
    }

    fn values(&self, py: Python<'_>) -> Vec<Value> {
        self.iter().filter_map(|item| item.value(py)).collect()
    }
}

impl<I: Item> Slot for VecDeque<I> {
    fn put(&mut self, _: u8, value: Value) -> Option<Value> {
        self.push_back(I::from_value(value));
        None
    }

    fn take(&mut self, position: usize, _: u8) -> Value {
        self.remove(position).expect(MODEL).into_value()
    }

    fn values(&self, py: Python<'_>) -> Vec<Value> {
        self.iter().filter_map(|item| item.value(py)).collect()
    }
}

/// The keys that the model uses are the lowest that are free.
impl<I: Item, const N: usize> Slot for [Option<I>; N] {
    fn put(&mut self, key: u8, value: Value) -> Option<Value> {
        self[usize::from(key)].put(key, value)
    }

    fn take(&mut self, position: usize, key: u8) -> Value {
        Slot::take(&mut self[usize::from(key)], position, key)
    }

    fn values(&self, py: Python<'_>) -> Vec<Value> {
        self.iter().flatten().filter_map(|item| item.value(py)).collect()
    }
}

macro_rules! maps {
    ($($map:ident)+) => {$(
        impl<I: Item> Slot for $map<u8, I> {
            fn put(&mut self, key: u8, value: Value) -> Option<Value> {
                self.insert(key, I::from_value(value)).map(I::into_value)
            }

            fn take(&mut self, _: usize, key: u8) -> Value {
                self.remove(&key).expect(MODEL).into_value()
            }

            fn values(&self, py: Python<'_>) -> Vec<Value> {
                $map::values(self).filter_map(|item| item.value(py)).collect()
            }
        }
    )+};
}
maps!(HashMap BTreeMap);

/// Objects as keys, and nothing of interest for values.
impl Slot for HashMap<Key, u8> {
    fn put(&mut self, key: u8, value: Value) -> Option<Value> {
        self.insert(Key(key, Object::from_value(value)), key);
        None
    }

    fn take(&mut self, _: usize, key: u8) -> Value {
        let key = Key(key, none());
        self.remove_entry(&key).expect(MODEL).0.1.into_value()
    }

    fn values(&self, py: Python<'_>) -> Vec<Value> {
        self.keys().filter_map(|key| key.1.value(py)).collect()
    }
}

impl<I: Item> Slot for Cell<Option<I>> {
    fn put(&mut self, key: u8, value: Value) -> Option<Value> {
        self.get_mut().put(key, value)
    }

    fn take(&mut self, position: usize, key: u8) -> Value {
        Slot::take(self.get_mut(), position, key)
    }

    fn values(&self, py: Python<'_>) -> Vec<Value> {
        let contents = Cell::take(self);
        let values = contents.values(py);
        self.set(contents);
        values
    }
}

/// Written once, and taken out by the hooks at most.
impl<I: Item> Slot for &OnceLock<I> {
    fn put(&mut self, _: u8, value: Value) -> Option<Value> {
        self.set(I::from_value(value)).err().map(I::into_value)
    }

    fn take(&mut self, _: usize, _: u8) -> Value {
        unreachable!("{MODEL}")
    }

    fn values(&self, py: Python<'_>) -> Vec<Value> {
        self.get().into_iter().filter_map(|item| item.value(py)).collect()
    }
}

/// A field that is written at birth.
pub(crate) struct Fixed<'a, S>(pub(crate) &'a S);

impl<S: Slot> Slot for Fixed<'_, S> {
    fn put(&mut self, _: u8, _: Value) -> Option<Value> {
        unreachable!("{MODEL}")
    }

    fn take(&mut self, _: usize, _: u8) -> Value {
        unreachable!("{MODEL}")
    }

    fn values(&self, py: Python<'_>) -> Vec<Value> {
        self.0.values(py)
    }
}

/// Locks and the like: `$write` and `$read` are what they are asked for, and never find them taken.
macro_rules! guards {
    ($($guard:ident: |$lock:ident| $write:expr, $read:expr, $poison:expr;)+) => {$(
        impl<S: Slot> Slot for &$guard<S> {
            fn put(&mut self, key: u8, value: Value) -> Option<Value> {
                let $lock = self;
                $write.put(key, value)
            }

            fn take(&mut self, position: usize, key: u8) -> Value {
                let $lock = self;
                $write.take(position, key)
            }

            fn values(&self, py: Python<'_>) -> Vec<Value> {
                let $lock = self;
                $read.values(py)
            }

            fn while_locked(&mut self, act: &mut dyn FnMut()) {
                let $lock = self;
                let _guard = $write;
                act();
            }

            fn poison(&mut self) {
                let $lock = self;
                $poison;
            }

            fn lock_forever(&mut self, for_writing: bool) {
                let $lock = self;
                if for_writing {
                    mem::forget($write);
                } else {
                    mem::forget($read);
                }
            }
        }
    )+};
}
guards! {
    Mutex: |lock| held(lock.try_lock()), held(lock.try_lock()), poison(|| lock.lock());
    RwLock: |lock| held(lock.try_write()), held(lock.try_read()), poison(|| lock.write());
    RefCell: |cell| cell.borrow_mut(), cell.borrow(), drop(cell.borrow());
}

fn held<G>(attempt: TryLockResult<G>) -> G {
    match attempt {
        Ok(guard) => guard,
        Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
        Err(TryLockError::WouldBlock) => panic!("somebody holds a lock that the model knows to be free"),
    }
}

/// Panics, without a report, while the guard is there.
fn poison<G>(lock: impl FnOnce() -> G) {
    let panicking = AssertUnwindSafe(|| {
        let _guard = lock();
        resume_unwind(Box::new(()))
    });
    let _: Result<(), _> = catch_unwind(panicking);
}
