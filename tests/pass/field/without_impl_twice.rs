//! What `ui/field/without_impl_twice.rs` should have said.

use pyo3_gc::PyGcTraversable;

struct RawHandle;
pyo3_gc::leaf!(RawHandle);

#[derive(PyGcTraversable)]
struct Pipe {
    read: RawHandle,
    write: RawHandle,
}
