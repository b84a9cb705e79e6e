//! What `pyo3_gc::testing` says of classes that are right, and of those that aren't.

#![allow(dead_code, unused_imports, reason = "the module that exports what the examples have isn't here")]
#![allow(clippy::needless_pass_by_value, reason = "as it is there")]

// What examples/extension is made of.
#[path = "../../examples/extension/src/access.rs"]
mod access;
#[path = "../../examples/extension/src/edge.rs"]
mod edge;
#[path = "../../examples/extension/src/errors.rs"]
mod errors;
#[path = "../../examples/extension/src/event.rs"]
mod event;
#[path = "../../examples/extension/src/graph.rs"]
mod graph;
#[path = "../../examples/extension/src/memo.rs"]
mod memo;
#[path = "../../examples/extension/src/node.rs"]
mod node;
#[path = "../../examples/extension/src/observers.rs"]
mod observers;
#[path = "../../examples/extension/src/walk.rs"]
mod walk;

mod automatic;
#[path = "../support/broken.rs"]
mod broken;
mod builtins;
mod c_types;
mod classes;
mod collect;
mod collect_inside;
mod extension;
mod faults;
mod faults_clear;
mod faults_locks;
mod faults_owned;
mod interpreter;
mod sentinels;
#[path = "../support/mod.rs"]
mod support;
mod threads;
