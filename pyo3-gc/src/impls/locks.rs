//! Locks: tried, never waited for. A poisoned lock is traversed: its contents are owned all the same.
//!
//! A lock that is held when a collection comes by is skipped: its contents look held from outside, and stay
//! alive until the next one. When a thread that is *not* attached to the interpreter takes or releases the lock
//! between two passes of one collection, the passes disagree, and live objects can be taken for garbage: see the chapter
//! on locks. Hold such locks only while attached.

use std::sync::{Mutex, PoisonError, RwLock, TryLockError, TryLockResult};

use super::guarded;

guarded!(
    /// Tried with `try_lock`: a held lock is skipped, a poisoned one is traversed.
    impl[] Mutex<T>,
    read |lock| held(lock.try_lock()),
    write |lock| held(lock.try_lock()),
    get_mut |lock| lock.get_mut().unwrap_or_else(PoisonError::into_inner)
);

guarded!(
    /// Tried with `try_read`: a lock held for writing is skipped, a poisoned one is traversed.
    impl[] RwLock<T>,
    read |lock| held(lock.try_read()),
    write |lock| held(lock.try_write()),
    get_mut |lock| lock.get_mut().unwrap_or_else(PoisonError::into_inner)
);

/// The guard, also of a poisoned lock; `None` if somebody else holds it.
pub(crate) fn held<G>(attempt: TryLockResult<G>) -> Option<G> {
    match attempt {
        Ok(guard) => Some(guard),
        Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
        Err(TryLockError::WouldBlock) => None,
    }
}
