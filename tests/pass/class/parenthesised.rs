//! What `ui/class/parenthesised.rs` should have said.

use pyo3::prelude::*;
use pyo3_gc::{pyclass, pymethods};

struct RawHandle;

#[pyclass]
struct Node {
    value: Option<Py<PyAny>>,
    #[pyo3_gc(skip)]
    handle: RawHandle,
}

#[pymethods]
impl Node {}
