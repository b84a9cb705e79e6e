//! The same, below other fields: the error points at this one alone.

use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
struct Button {
    label: String,
    position: (u16, u16),
    on_hover: Option<fn(&str) -> &str>, //~ mistake
}

fn main() {}

//~ fix: on_hover: => #[pyo3(gc = false)] on_hover:
