//! A closure: what it captured can not be seen.

use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
struct Button {
    on_click: Box<dyn Fn() + Send + Sync>, //~ mistake
}

fn main() {}
