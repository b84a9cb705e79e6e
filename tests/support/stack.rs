//! How much stack recursion takes, without overflowing it.

use std::cell::Cell;
use std::thread;

use pyo3::{PyTraverseError, PyVisit};
use pyo3_gc::PyGcTraversable;

/// The stack of a thread that Rust spawns, unless told otherwise.
pub(crate) const USUAL_STACK: usize = 2 << 20;

/// Runs on a thread of its own with a stack of that size.
pub(crate) fn on_stack<R: Send + 'static>(size: usize, run: impl FnOnce() -> R + Send + 'static) -> R {
    thread::Builder::new().stack_size(size).spawn(run).unwrap().join().unwrap()
}

thread_local! {
    /// The lowest and the highest place of the stack that was noted.
    static NOTED: Cell<(usize, usize)> = const { Cell::new((usize::MAX, 0)) };
}

/// Notes how high the stack is.
#[inline(never)]
fn note() {
    let here = 0_u8;
    let here = (&raw const here).addr();
    NOTED.set((NOTED.get().0.min(here), NOTED.get().1.max(here)));
}

/// How far apart the notes are that `run` makes on this thread.
pub(crate) fn spread(run: impl FnOnce()) -> usize {
    NOTED.set((usize::MAX, 0));
    run();
    let (lowest, highest) = NOTED.get();
    assert!(lowest < highest, "noted once at most");
    highest - lowest
}

/// A field that notes where it is visited and dropped.
pub(crate) struct Noting;

// SAFETY: 1, 3 and 4: it owns nothing, and visits nothing. 2: what is noted belongs to Rust and to this thread. 5: true.
// 6: nothing changes.
unsafe impl PyGcTraversable for Noting {
    const MAY_CONTAIN_CYCLES: bool = true;

    fn traverse(&self, _: PyVisit<'_>) -> Result<(), PyTraverseError> {
        note();
        Ok(())
    }

    fn clear(&mut self) {}
}

impl Drop for Noting {
    fn drop(&mut self) {
        note();
    }
}
