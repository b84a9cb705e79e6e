//! All shapes under stress, against the rules of the documentation: threads that are not attached hold locks and clone
//! `Arc`s. Live objects may then be taken for garbage; but nothing crashes, nothing leaks, and nothing hangs.

use crate::run::{Detached, stress};
use crate::support::process::in_a_process_of_its_own;

#[test]
fn nothing_crashes_and_nothing_leaks() {
    in_a_process_of_its_own(|| stress(Detached::Anything));
}
