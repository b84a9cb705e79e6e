//! How much stack recursion takes, without overflowing it.

use std::cell::Cell;
use std::thread;

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
pub(crate) fn note() {
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

/// A field that notes where it is dropped.
pub(crate) struct Noting;
pyo3_gc::leaf!(Noting);

impl Drop for Noting {
    fn drop(&mut self) {
        note();
    }
}
