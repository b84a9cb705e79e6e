use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Arc, Weak};

use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use super::slots::Slots;

/// Has the next thread that attaches free the slots that were let go of.
///
/// A Python object that a thread drops which isn't attached is kept by PyO3, and deallocated as soon as a thread attaches. So
/// there is an object to drop, set whenever the last one was deallocated. Nobody waits, as in [`LetGo`](super::let_go::LetGo).
#[derive(Default)]
pub(super) struct Wakeup {
    capsule: AtomicPtr<Py<PyCapsule>>,
}

impl Wakeup {
    /// Sees to it that there is an object to drop.
    pub(super) fn set(&self, py: Python<'_>, slots: &Arc<Slots>) -> PyResult<()> {
        if !self.capsule.load(Ordering::Relaxed).is_null() {
            return Ok(());
        }
        #[allow(deprecated, reason = "its successor is missing in PyO3 0.28")]
        let capsule = PyCapsule::new(py, Woken(Arc::downgrade(slots)), None)?;
        let capsule = Box::into_raw(Box::new(capsule.unbind()));
        if self
            .capsule
            .compare_exchange(ptr::null_mut(), capsule, Ordering::AcqRel, Ordering::Relaxed)
            .is_err()
        {
            // SAFETY: from a `Box`, and given to nobody.
            drop(unsafe { Box::from_raw(capsule) });
        }
        Ok(())
    }

    /// Drops the object, unless another thread has.
    pub(super) fn drop(&self) {
        let capsule = self.capsule.swap(ptr::null_mut(), Ordering::AcqRel);
        if !capsule.is_null() {
            // SAFETY: `set` made it from a `Box`. Whoever swaps it out has it alone.
            drop(unsafe { Box::from_raw(capsule) });
        }
    }
}

impl Drop for Wakeup {
    fn drop(&mut self) {
        Self::drop(self);
    }
}

/// In the capsule, which the collector needn't know: it leads to no object.
struct Woken(Weak<Slots>);

impl Drop for Woken {
    fn drop(&mut self) {
        if let Some(slots) = self.0.upgrade() {
            // Whoever deallocates a Python object is attached.
            Python::try_attach(|py| slots.free_let_go(py));
        }
    }
}
