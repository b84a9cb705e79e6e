//! A function pointer over references, which no impl can cover, inside of another type.

use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
struct Button {
    on_click: fn(&str) -> &str,
    on_hover: Option<fn(&str) -> &str>, //~ mistake
}

fn main() {}

//~ fix: on_hover: => #[pyo3(gc = false)] on_hover:
