//! `tokio`: its asynchronous locks are tried, never waited for, and its `OnceCell` is looked into.

use tokio::sync::{Mutex, OnceCell, RwLock};

use crate::impls::{guarded, once};

guarded!(
    /// Tried with `try_lock`: a held lock is skipped.
    impl[] Mutex<T>,
    read |lock| lock.try_lock().ok(),
    write |lock| lock.try_lock().ok(),
    get_mut |lock| lock.get_mut()
);

guarded!(
    /// Tried with `try_read`: a lock held for writing, or waited for by a writer, is skipped.
    impl[] RwLock<T>,
    read |lock| lock.try_read().ok(),
    write |lock| lock.try_write().ok(),
    get_mut |lock| lock.get_mut()
);

once!(impl[] OnceCell<T>, get |cell| cell.get(), take |cell| cell.take());
