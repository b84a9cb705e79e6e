//! What `ui/gc/unneeded_twice.rs` should have said.

use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
struct Connection<'a> {
    name: std::borrow::Cow<'a, str>,
    port: u16,
}
