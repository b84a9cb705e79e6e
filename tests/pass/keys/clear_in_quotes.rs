//! What `ui/keys/clear_in_quotes.rs` should have said.

use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
struct Connection {
    #[pyo3_gc(clear = false)]
    handle: u8,
}
