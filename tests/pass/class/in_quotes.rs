//! What `ui/class/in_quotes.rs` should have said.

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
