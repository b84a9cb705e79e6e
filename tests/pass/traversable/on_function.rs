//! What `ui/traversable/on_function.rs` should have said.

use pyo3_gc::traversable;

#[traversable]
struct Request;
