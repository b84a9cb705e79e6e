//! What `ui/class/gc_on_class.rs` should have said.

use pyo3::prelude::*;
use pyo3_gc::{pyclass, pymethods};

struct RawHandle;

#[pyclass]
struct Node {
    value: Option<Py<PyAny>>,
    #[pyo3(gc = false)]
    handle: RawHandle,
}

#[pymethods]
impl Node {}
