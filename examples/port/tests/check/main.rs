//! `check` on projects of every kind.

#[path = "../support/mod.rs"]
#[allow(dead_code, reason = "each test program uses a part")]
mod support;

mod attributes;
mod classes;
mod hooks;
mod inputs;
mod macros;
