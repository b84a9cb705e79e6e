//! What `ui/gc/on_container.rs` should have said.

use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
struct Connection {
    #[pyo3(gc = true)]
    name: String,
}
