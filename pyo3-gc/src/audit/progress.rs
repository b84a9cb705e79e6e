//! Tells how far an audit is, and lets it be broken off.

use std::cell::{Cell, RefCell};
use std::fmt::{self, Display, Formatter};
use std::ops::ControlFlow;

use pyo3::PyErr;
use pyo3::exceptions::PyKeyboardInterrupt;

use super::report::Report;

/// How far an audit is, as [`Audit::progress`](super::Audit::progress) tells it. `Display` writes it for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Step {
    /// What the audit does. Each stage counts from 0 on.
    pub stage: &'static str,
    /// How much of it is done.
    pub done: usize,
    /// How much there is to do.
    pub total: usize,
}

impl Display for Step {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { stage, done, total } = self;
        write!(f, "{stage}: {done} of {total}")
    }
}

/// Called now and then.
pub(super) type Callback<'a> = Box<dyn FnMut(Step) -> ControlFlow<()> + 'a>;

/// Counts the steps of the stages of an audit.
pub(super) struct Progress<'a> {
    callback: RefCell<Option<Callback<'a>>>,
    step: Cell<Step>,
    /// What was done since the callback was called.
    work: Cell<usize>,
    is_broken_off: Cell<bool>,
}

/// How many objects are traversed, or words looked at, between two calls of the callback: it takes some milliseconds.
const INTERVAL: usize = 1 << 14;

impl<'a> Progress<'a> {
    pub(super) fn new(callback: Option<Callback<'a>>) -> Self {
        Self {
            callback: RefCell::new(callback),
            step: Cell::new(Step { stage: "", done: 0, total: 0 }),
            work: Cell::new(0),
            is_broken_off: Cell::new(false),
        }
    }

    /// Begins a stage, with so much to do.
    pub(super) fn stage(&self, stage: &'static str, total: usize) -> ControlFlow<()> {
        self.step.set(Step { stage, done: 0, total });
        self.call()
    }

    /// Before each object; breaks off when the callback wants it.
    #[inline]
    pub(super) fn step(&self) -> ControlFlow<()> {
        self.work(1)?;
        let step = self.step.get();
        self.step.set(Step { done: step.done + 1, ..step });
        ControlFlow::Continue(())
    }

    /// For more to do than was known when the stage began.
    pub(super) fn total(&self, total: usize) {
        self.step.set(Step { total, ..self.step.get() });
    }

    /// For what takes as long as so many objects, or so many words. Breaks off when the callback wants it, or has wanted it.
    #[inline]
    pub(super) fn work(&self, work: usize) -> ControlFlow<()> {
        let work = self.work.get() + work;
        self.work.set(work);
        if work >= INTERVAL { self.call() } else { self.flow() }
    }

    fn call(&self) -> ControlFlow<()> {
        self.work.set(0);
        if let (Some(callback), false) = (&mut *self.callback.borrow_mut(), self.is_broken_off.get()) {
            self.is_broken_off.set(callback(self.step.get()).is_break());
        }
        self.flow()
    }

    /// Whether to go on.
    #[inline]
    pub(super) fn flow(&self) -> ControlFlow<()> {
        if self.is_broken_off.get() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// The error of an audit that was broken off, with what it had found until then, if that is something.
    pub(super) fn broken_off(&self, report: Option<&Report>) -> PyErr {
        let found =
            report.map(|report| format!("; until then it had found:\n{}", report.to_string().trim_end()));
        let message = format!("the audit was broken off, {}{}", self.step.get(), found.unwrap_or_default());
        PyKeyboardInterrupt::new_err(message)
    }
}
