//! What the derives expand to, in a real interpreter.

mod clearing;
mod conversions;
mod excluded;
mod features;
mod fragments;
mod recursion;
mod shapes;
#[path = "../support/mod.rs"]
mod support;
