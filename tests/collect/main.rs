//! What is collected whatever its depth, and that memory returns to where it was.

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

mod deep_boxes;
mod deep_chains;
mod deep_drops;
mod living_on;
mod long_rings;
#[path = "../support/memory.rs"]
mod memory;
mod memory_extension;
mod memory_shapes;
#[path = "../support/shapes/mod.rs"]
mod shapes;
#[path = "../support/mod.rs"]
mod support;
