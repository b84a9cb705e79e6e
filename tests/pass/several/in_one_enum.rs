//! What `ui/several/in_one_enum.rs` should have said.

use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
#[repr(u8)]
enum State {
    Closed,
    Opening {
        #[pyo3(gc = true)]
        handle: u64,
    },
    Open(u8, #[pyo3_gc(recursive)] u64),
}
