//! `port` on projects of every kind. Each is compiled.

#[path = "../support/mod.rs"]
#[allow(dead_code, reason = "each test program uses a part")]
mod support;

mod blocks;
mod decisions;
mod hooks;
mod imports;
mod inputs;
mod projects;
mod types;
