//! What `ui/shape/packed_with_alignment.rs` should have said.

use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
#[repr(C, align(16))]
struct Header {
    tag: u8,
    length: u32,
}
