//! What hooks do with the locks of a frozen class: whether traverse waits for one, and whether clearing drops under one.

use std::cell::RefCell;
use std::fmt::{self, Debug, Formatter};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use pyo3::PyClass;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pyclass::boolean_struct::True;

/// How long a thread waits before it says that another one is blocked.
const PATIENCE: Duration = Duration::from_millis(500);

/// Does `work` while another thread goes by `Way`.
type Beside = dyn Fn(&Bound<'_, PyAny>, Way, &mut dyn FnMut()) -> PyResult<Outcome> + Send + Sync;

/// What the other thread does.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    /// It holds the lock until the work is done, or it has waited long enough.
    Hold,
    /// It takes the lock each time that a probe is dropped.
    TakeAtDrops,
}

#[derive(PartialEq)]
enum Outcome {
    Fine,
    Blocked,
}

/// How to take the locks of a class, whatever it is called and however many there are.
#[derive(Clone)]
pub(super) struct Locking(Arc<Beside>);

impl Debug for Locking {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("Locking")
    }
}

impl Locking {
    pub(super) fn new<T>(lock: impl Fn(&T, &mut dyn FnMut()) + Send + Sync + 'static) -> Self
    where
        T: PyClass<Frozen = True> + Sync,
    {
        Self(Arc::new(move |instance, way, work| {
            let value = instance.cast::<T>()?.get();
            match way {
                Way::Hold => hold(instance.py(), value, &lock, work),
                Way::TakeAtDrops => take_at_drops(value, &lock, work),
            }
        }))
    }

    /// Whether `work` waits for the lock.
    ///
    /// # Errors
    ///
    /// Where the class is another one, or its lock is never taken.
    pub(super) fn is_waited_for(
        &self,
        instance: &Bound<'_, PyAny>,
        mut work: impl FnMut(),
    ) -> PyResult<bool> {
        Ok((self.0)(instance, Way::Hold, &mut work)? == Outcome::Blocked)
    }

    /// Whether `work` drops a probe while the lock is held.
    ///
    /// # Errors
    ///
    /// Where the class is another one.
    pub(super) fn is_held_at_drops(
        &self,
        instance: &Bound<'_, PyAny>,
        mut work: impl FnMut(),
    ) -> PyResult<bool> {
        Ok((self.0)(instance, Way::TakeAtDrops, &mut work)? == Outcome::Blocked)
    }
}

fn hold<T: Sync>(
    py: Python<'_>,
    value: &T,
    lock: &(impl Fn(&T, &mut dyn FnMut()) + Sync),
    work: &mut dyn FnMut(),
) -> PyResult<Outcome> {
    let (locked, is_locked) = channel();
    let (done, is_done) = channel::<()>();
    thread::scope(|scope| {
        let other = scope.spawn(move || {
            let mut outcome = Outcome::Fine;
            lock(value, &mut || {
                // An error means that nobody waits any more.
                let _ = locked.send(());
                if is_done.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                    outcome = Outcome::Blocked;
                }
            });
            drop(locked);
            outcome
        });
        // Detached, lest the other one waits for this thread.
        let is_locked = py.detach(move || is_locked.recv());
        if is_locked.is_ok() {
            work();
        }
        drop(done);
        let outcome = py.detach(move || other.join()).unwrap_or(Outcome::Fine);
        match is_locked {
            Ok(()) => Ok(outcome),
            Err(_) => {
                Err(PyValueError::new_err("`locking` must call what it is given, while it holds the lock"))
            }
        }
    })
}

fn take_at_drops<T: Sync>(
    value: &T,
    lock: &(impl Fn(&T, &mut dyn FnMut()) + Sync),
    work: &mut dyn FnMut(),
) -> PyResult<Outcome> {
    let (ask, is_asked) = channel();
    let (taken, is_taken) = channel();
    thread::scope(|scope| {
        scope.spawn(move || {
            while let Ok(()) = is_asked.recv() {
                lock(value, &mut || {
                    // An error means that nobody waits any more.
                    let _ = taken.send(());
                });
            }
        });
        let outer = AT_DROPS.replace(Some(AtDrops { ask, is_taken, outcome: Outcome::Fine }));
        work();
        let inner = AT_DROPS.replace(outer);
        Ok(inner.map_or(Outcome::Fine, |inner| inner.outcome))
    })
}

/// The other end of [`take_at_drops`].
struct AtDrops {
    ask: Sender<()>,
    is_taken: Receiver<()>,
    outcome: Outcome,
}

thread_local! {
    /// What this thread does when it drops a probe.
    static AT_DROPS: RefCell<Option<AtDrops>> = const { RefCell::new(None) };
}

/// A probe is being dropped.
pub(super) fn probe_drops() {
    // Without thread-locals, the thread is ending, and nobody asks. Borrowed, it is within another drop.
    let _ = AT_DROPS.try_with(|at_drops| {
        if let Ok(mut at_drops) = at_drops.try_borrow_mut() {
            if let Some(AtDrops { ask, is_taken, outcome }) = &mut *at_drops {
                if *outcome == Outcome::Fine
                    && ask.send(()).is_ok()
                    && is_taken.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout)
                {
                    *outcome = Outcome::Blocked;
                }
            }
        }
    });
}
