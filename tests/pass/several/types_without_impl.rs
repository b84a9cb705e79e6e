//! What `ui/several/types_without_impl.rs` should have said.

use pyo3_gc::PyGcTraversable;

struct RawHandle;
struct Callback<T>(T);

#[derive(PyGcTraversable)]
struct Connection<T> {
    #[pyo3(gc = false)]
    handle: RawHandle,
    value: T,
    #[pyo3(gc = false)]
    callback: Callback<T>,
}
