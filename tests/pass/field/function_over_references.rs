//! What `ui/field/function_over_references.rs` should have said.

use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
struct Button {
    on_click: fn(&str) -> &str,
    #[pyo3(gc = false)]
    on_hover: Option<fn(&str) -> &str>,
}
