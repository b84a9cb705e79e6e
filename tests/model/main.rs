//! The model test: random programs on graphs of real objects, and a model of them in plain Rust that says after each step
//! what must be alive, and whole, and what must be gone.
//!
//! - `kind` has the rules for each kind of node, `graph` and `collector` make the model of them, `rules` tests that;
//! - `program` has the steps, and draws programs, which `shrink` reduces if they fail;
//! - `value` and `slot` are the references and fields of the real objects, `classes`, `shared_classes`, `variant`, `nested`
//!   and `python` the objects, and `world` makes and opens them;
//! - `machine`, `changing`, `collecting` and `check` do each step to both, and compare.

mod changing;
mod check;
mod classes;
mod collecting;
mod collector;
mod coverage;
mod graph;
mod graphs;
mod kind;
mod machine;
mod nested;
mod program;
mod python;
mod rules;
mod shared_classes;
mod shrink;
mod slot;
#[path = "../support/mod.rs"]
mod support;
mod value;
mod variant;
mod world;
