//! What `ui/shape/packed.rs` should have said.

use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
#[repr(C)]
struct Header {
    tag: u8,
    length: u32,
}
