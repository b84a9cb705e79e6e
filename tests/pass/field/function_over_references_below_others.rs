//! What `ui/field/function_over_references_below_others.rs` should have said.

use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
struct Button {
    label: String,
    position: (u16, u16),
    #[pyo3(gc = false)]
    on_hover: Option<fn(&str) -> &str>,
}
