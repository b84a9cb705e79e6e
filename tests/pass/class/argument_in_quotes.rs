//! What `ui/class/argument_in_quotes.rs` should have said.

use pyo3::prelude::*;
use pyo3_gc::pyclass;

#[pyclass(gc = false)]
struct Node {
    value: Option<Py<PyAny>>,
}
