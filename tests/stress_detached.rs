//! All shapes under stress, against the rules of the documentation: threads that are not attached hold locks and clone
//! `Arc`s. Live objects may then be taken for garbage; but nothing crashes, nothing leaks, and nothing hangs.

#[path = "support/memory.rs"]
mod memory;
#[path = "support/stress/mod.rs"]
mod stress;
mod support;
#[path = "support/watchdog.rs"]
mod watchdog;

#[test]
fn nothing_crashes_and_nothing_leaks() {
    stress::stress(stress::Detached::Anything);
}
