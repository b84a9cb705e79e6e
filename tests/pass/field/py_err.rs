//! What `ui/field/py_err.rs` should have said.

use pyo3_gc::{PyGcErr, PyGcTraversable};

#[derive(PyGcTraversable)]
struct Task {
    failure: Option<PyGcErr>,
}
