//! What `ui/krate/wrong_path.rs` should have said.

use pyo3_gc::PyGcTraversable;

mod vendored {
    pub use pyo3_gc::*;
}

#[derive(PyGcTraversable)]
#[pyo3_gc(crate = "vendored")]
struct Slot(u8);
