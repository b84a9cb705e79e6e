//! What threads share, and how they choose from it.

use std::mem;
use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::prelude::*;

/// At most [`SIZE`](Self::SIZE) objects. Whoever has it locked runs no Python code and drops nothing, so that attached threads may wait for it.
#[derive(Default)]
pub(super) struct Pool(Mutex<Vec<Py<PyAny>>>);

impl Pool {
    const SIZE: usize = 16;

    fn lock(&self) -> MutexGuard<'_, Vec<Py<PyAny>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn put(&self, object: Py<PyAny>, random: &mut Random) {
        let mut objects = self.lock();
        if objects.len() < Self::SIZE {
            objects.push(object);
        } else {
            let previous = mem::replace(&mut objects[random.below(Self::SIZE)], object);
            drop(objects);
            drop(previous);
        }
    }

    pub(super) fn pick<'py>(&self, py: Python<'py>, random: &mut Random) -> Option<Bound<'py, PyAny>> {
        let objects = self.lock();
        let place = random.below(Self::SIZE);
        objects.get(place).map(|object| object.bind(py).clone())
    }

    pub(super) fn take(&self, random: &mut Random) -> Option<Py<PyAny>> {
        let mut objects = self.lock();
        let place = random.below(Self::SIZE);
        (place < objects.len()).then(|| objects.swap_remove(place))
    }

    pub(super) fn clear(&self) {
        let objects = mem::take(&mut *self.lock());
        drop(objects);
    }
}

/// Xorshift: for the same seed the same numbers.
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % limit as u64).unwrap()
    }
}
