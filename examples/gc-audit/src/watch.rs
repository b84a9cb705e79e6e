//! What happens while an audit is under way: a line tells how far it is, and an interrupt breaks it off. Neither runs
//! Python code.

use std::io::{IsTerminal, Write, stderr};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use pyo3::ffi;
use pyo3_gc::audit::Step;

/// How long a line stands until the next.
const INTERVAL: Duration = Duration::from_millis(500);

/// Watches one audit.
pub struct Watch {
    /// When the next line is due, if any is wanted.
    due: Option<Instant>,
    /// On a terminal, the line is written over.
    is_terminal: bool,
    written: bool,
    interrupted: bool,
}

impl Watch {
    /// Writes a line if the audit takes longer than `after`.
    pub fn new(after: Option<Duration>) -> Self {
        let due = after.and_then(|after| Instant::now().checked_add(after));
        Self { due, is_terminal: stderr().is_terminal(), written: false, interrupted: false }
    }

    /// To be called now and then by the audit.
    pub fn step(&mut self, step: Step) -> ControlFlow<()> {
        let now = Instant::now();
        let is_due = self.due.is_some_and(|due| due <= now);
        if is_due || self.written && step.done == 0 {
            self.due = Some(now + INTERVAL);
            self.write(&format!("gc audit: {step}"));
        }
        // SAFETY: called on the thread that runs the audit, which is attached.
        self.interrupted = unsafe { ffi::PyOS_InterruptOccurred() } != 0;
        if self.interrupted { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Leaves the terminal as it was.
    pub fn end(&mut self) {
        if self.written && self.is_terminal {
            self.write("");
        }
    }

    /// Whether an interrupt broke the audit off.
    pub fn interrupted(&self) -> bool {
        self.interrupted
    }

    fn write(&mut self, line: &str) {
        self.written = true;
        let mut stderr = stderr();
        // Who closed stderr doesn't want to know.
        let _ = if self.is_terminal { write!(stderr, "\r{line}\x1b[K") } else { writeln!(stderr, "{line}") };
    }
}
