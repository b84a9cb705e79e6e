//! All shapes under stress, by the rules of the documentation: locks and `Arc`s are touched by attached threads only. No
//! live object is ever taken for garbage, all garbage is dropped, and memory returns to where it was.

use crate::run::{Detached, stress};
use crate::support::process::in_a_process_of_its_own;

#[test]
fn nothing_is_lost_and_nothing_leaks() {
    in_a_process_of_its_own(|| stress(Detached::Safe));
}
