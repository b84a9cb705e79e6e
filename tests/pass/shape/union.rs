//! What `ui/shape/union.rs` should have said.

use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
enum Bits {
    Float(f32),
    Int(u32),
}
