//! What `ui/field/closure.rs` should have said.

use pyo3::prelude::*;
use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
struct Button {
    on_click: Option<Py<PyAny>>,
    #[pyo3(gc = false)]
    repaint: Box<dyn Fn() + Send + Sync>,
}
