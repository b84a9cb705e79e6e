//! What `ui/several/in_one_struct.rs` should have said.

use pyo3_gc::PyGcTraversable;

struct RawHandle;

#[derive(PyGcTraversable)]
#[pyo3_gc(bound = "T: PyGcTraversable")]
struct Connection<T> {
    #[pyo3(gc = false)]
    handle: RawHandle,
    #[pyo3_gc(skip)]
    other: RawHandle,
    value: T,
}
