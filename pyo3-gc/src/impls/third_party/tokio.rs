//! `tokio`: its asynchronous locks are tried, never waited for, and its `OnceCell` is looked into. The ends of its channels
//! are leaves where no Python object is sent, and so is what tasks wait on: the tasks themselves belong to the runtime, and
//! can't be seen.

use tokio::runtime::{self, Runtime};
use tokio::sync::{
    AcquireError, Barrier, Mutex, Notify, OnceCell, OwnedSemaphorePermit, RwLock, Semaphore, SemaphorePermit,
    TryAcquireError, broadcast, mpsc, oneshot, watch,
};

use crate::impls::{channel, guarded, once};
use crate::leaf;

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

channel!(mpsc::Sender<T>, mpsc::WeakSender<T>, mpsc::Receiver<T>, mpsc::OwnedPermit<T>);
channel!(mpsc::UnboundedSender<T>, mpsc::WeakUnboundedSender<T>, mpsc::UnboundedReceiver<T>);
channel!(oneshot::Sender<T>, oneshot::Receiver<T>);
channel!(broadcast::Sender<T>, broadcast::Receiver<T>);
channel!(watch::Sender<T>, watch::Receiver<T>);

leaf!(Barrier, Notify, Semaphore, SemaphorePermit<'_>, OwnedSemaphorePermit, AcquireError, TryAcquireError);
leaf!(runtime::Handle, Runtime);
