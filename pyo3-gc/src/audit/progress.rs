//! Tells how far an audit is, and lets it be broken off.

use std::ops::ControlFlow;

/// Called with the number of objects done and of all objects.
pub(super) type Callback<'a> = Box<dyn FnMut(usize, usize) -> ControlFlow<()> + 'a>;

/// Counts the steps of a walk.
pub(super) struct Progress<'a> {
    pub(super) callback: Option<Callback<'a>>,
    pub(super) total: usize,
}

/// A few milliseconds' work.
const STEP: usize = 1 << 14;

impl Progress<'_> {
    /// Before the object `done`; breaks off when the callback wants it.
    #[inline]
    pub(super) fn step(&mut self, done: usize) -> ControlFlow<()> {
        match &mut self.callback {
            Some(callback) if done % STEP == 0 => callback(done, self.total),
            _ => ControlFlow::Continue(()),
        }
    }
}
