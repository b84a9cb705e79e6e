//! `lock_api`: tried, never waited for. There is no poisoning.

use lock_api::{Mutex, RawMutex, RawRwLock, RwLock};

use crate::impls::guarded;

guarded!(
    /// Tried with `try_lock`: a held lock is skipped.
    impl[R: RawMutex] Mutex<R, T>,
    read |lock| lock.try_lock(),
    write |lock| lock.try_lock(),
    get_mut |lock| lock.get_mut()
);

guarded!(
    /// Tried with `try_read`: a lock held for writing is skipped.
    impl[R: RawRwLock] RwLock<R, T>,
    read |lock| lock.try_read(),
    write |lock| lock.try_write(),
    get_mut |lock| lock.get_mut()
);
