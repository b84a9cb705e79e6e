//! The audit, in a process with classes that have every fault.

mod clean;
mod memory;
mod over_visits;
mod patterns;
mod pool;
mod progress;
mod report;
#[path = "../support/mod.rs"]
mod support;
mod suspects;
mod types;
mod unsteady;
mod untracked;
