//! The attribute on what holds nothing.

use pyo3_gc::traversable;

#[traversable]
fn request() {} //~ mistake

fn main() {}

//~ fix: fn request() {} => struct Request;
