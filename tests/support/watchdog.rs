//! Ends a process that hangs, and says where.

#![allow(dead_code, reason = "each test uses what it needs")]

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use pyo3::prelude::*;

/// What one thread is about: the watchdog reads it, whatever the thread waits for.
pub(crate) struct Progress {
    name: String,
    step: Mutex<&'static str>,
    steps: AtomicU64,
    is_over: AtomicBool,
}

impl Progress {
    pub(crate) fn new(name: impl Into<String>) -> Arc<Self> {
        Arc::new(Self {
            name: name.into(),
            step: Mutex::new("start"),
            steps: AtomicU64::new(0),
            is_over: AtomicBool::new(false),
        })
    }

    pub(crate) fn step(&self, step: &'static str) {
        *self.step.lock().unwrap_or_else(PoisonError::into_inner) = step;
        self.steps.fetch_add(1, Ordering::Relaxed);
    }

    /// No more steps are to be expected.
    pub(crate) fn end(&self) {
        self.is_over.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }

    /// Also if it panics.
    pub(crate) fn run(&self, thread: impl FnOnce()) {
        struct End<'p>(&'p Progress);

        impl Drop for End<'_> {
            fn drop(&mut self) {
                self.0.end();
            }
        }

        let _end = End(self);
        thread();
    }

    pub(crate) fn steps(&self) -> u64 {
        self.steps.load(Ordering::Relaxed)
    }
}

/// Watches until it is dropped.
pub(crate) struct Watchdog {
    is_over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Watchdog {
    /// Ends the process if one of `threads` takes no step for as long as `limit`. Python's `faulthandler` then writes
    /// where all threads are in Python code, which it does without the interpreter's help.
    pub(crate) fn new(py: Python<'_>, limit: Duration, threads: Vec<Arc<Progress>>) -> Self {
        py.import("faulthandler").unwrap().call_method0("enable").unwrap();
        let is_over = Arc::new(AtomicBool::new(false));
        let end = Arc::clone(&is_over);
        let thread = thread::spawn(move || {
            let mut seen: Vec<_> = threads.iter().map(|thread| (thread.steps(), Instant::now())).collect();
            while !end.load(Ordering::Relaxed) {
                thread::sleep(Duration::from_millis(100));
                for (progress, seen) in threads.iter().zip(&mut seen) {
                    let steps = progress.steps();
                    if steps != seen.0 || progress.is_over() {
                        *seen = (steps, Instant::now());
                    } else if seen.1.elapsed() > limit {
                        report(progress, &threads);
                        std::process::abort();
                    }
                }
            }
        });
        Self { is_over, thread: Some(thread) }
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }
}

/// Not by macros, whose output the test harness would keep to itself.
fn report(stuck: &Progress, threads: &[Arc<Progress>]) {
    let mut out = io::stderr().lock();
    let _ = writeln!(out, "\n{} hangs", stuck.name);
    for Progress { name, step, steps, .. } in threads.iter().map(|thread| &**thread) {
        let step = *step.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = writeln!(out, "  {name}: step {}, {step}", steps.load(Ordering::Relaxed));
    }
}
