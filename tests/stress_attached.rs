//! All shapes under stress, by the rules of the documentation: locks and `Arc`s are touched by attached threads only. No
//! live object is ever taken for garbage, all garbage is dropped, and memory returns to where it was.

#[path = "support/memory.rs"]
mod memory;
#[path = "support/stress/mod.rs"]
mod stress;
mod support;
#[path = "support/watchdog.rs"]
mod watchdog;

#[test]
fn nothing_is_lost_and_nothing_leaks() {
    stress::stress(stress::Detached::Safe);
}
