use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

use super::slots::Address;

/// Slots that were let go of by threads that aren't attached: pushed one by one, taken all at once. Nobody ever waits, so
/// that a thread that is stopped in the midst of it, or isn't there any more after a fork, holds nobody up.
#[derive(Default)]
pub(super) struct LetGo {
    last: AtomicPtr<Node>,
}

struct Node {
    slot: Address,
    before: *mut Node,
}

impl LetGo {
    pub(super) fn push(&self, slot: Address) {
        let node = Box::into_raw(Box::new(Node { slot, before: ptr::null_mut() }));
        let mut last = self.last.load(Ordering::Relaxed);
        loop {
            // SAFETY: from a `Box`, and nobody else's until it is pushed.
            unsafe { (*node).before = last };
            match self.last.compare_exchange_weak(last, node, Ordering::Release, Ordering::Relaxed) {
                Ok(_) => return,
                Err(newer) => last = newer,
            }
        }
    }

    /// Whether there is nothing to take. May be out of date.
    pub(super) fn is_empty(&self) -> bool {
        self.last.load(Ordering::Relaxed).is_null()
    }

    /// Everything that was pushed, the newest first.
    pub(super) fn take(&self) -> Taken {
        Taken(self.last.swap(ptr::null_mut(), Ordering::Acquire))
    }
}

impl Drop for LetGo {
    fn drop(&mut self) {
        drop(self.take());
    }
}

/// What was taken.
pub(super) struct Taken(*mut Node);

impl Iterator for Taken {
    type Item = Address;

    fn next(&mut self) -> Option<Address> {
        if self.0.is_null() {
            return None;
        }
        // SAFETY: `push` made it from a `Box`. Whoever swaps the list out has it to itself, and goes through it once.
        let node = unsafe { Box::from_raw(self.0) };
        self.0 = node.before;
        Some(node.slot)
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        self.for_each(drop);
    }
}
