//! An audit as Python asks for it, and interrupts as Python handles them.

use std::time::Duration;

use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3_gc::audit::{Audit, Report};

use crate::watch::Watch;

/// The options of an audit.
pub struct Options {
    pub suspects: Vec<String>,
    pub allow: Vec<(String, String)>,
    pub limit: Option<usize>,
    pub progress: Option<Duration>,
}

impl Options {
    /// Audits the heap. An interrupt breaks it off, so that the program can handle it; if the program's handler doesn't
    /// raise anything, the audit starts over.
    pub fn run(&self, py: Python<'_>) -> PyResult<Report> {
        loop {
            let mut watch = Watch::new(self.progress);
            let outcome = self.audit(&mut watch).run(py);
            watch.end();
            match outcome {
                Err(broken_off) if watch.interrupted() => handle_interrupt(py, broken_off)?,
                outcome => return outcome,
            }
        }
    }

    fn audit<'a>(&self, watch: &'a mut Watch) -> Audit<'a> {
        let mut audit =
            Audit::new().limit(self.limit.unwrap_or(usize::MAX)).progress(|step| watch.step(step));
        audit = self.suspects.iter().fold(audit, Audit::suspects);
        self.allow.iter().fold(audit, |audit, (pattern, reason)| audit.allow(pattern, reason))
    }
}

/// Calls the program's handler for the interrupt that broke an audit off. To ask for the interrupt was to take it:
/// first it is given back.
///
/// # Errors
///
/// What the handler raises; in the place of a plain `KeyboardInterrupt`, `broken_off`.
fn handle_interrupt(py: Python<'_>, broken_off: PyErr) -> PyResult<()> {
    // SAFETY: it can be called at any time, by any thread.
    unsafe { ffi::PyErr_SetInterrupt() };
    py.check_signals().map_err(|raised| {
        let plain = raised.get_type(py).is(py.get_type::<PyKeyboardInterrupt>());
        if plain { broken_off } else { raised }
    })
}
