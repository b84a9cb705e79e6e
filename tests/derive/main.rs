//! What the derives expand to, in a real interpreter.

mod clearing;
mod containers;
mod conversions;
mod excluded;
mod features;
mod fragments;
mod recursion;
mod shapes;
mod stand_ins;
#[path = "../support/mod.rs"]
mod support;
