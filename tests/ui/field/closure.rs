//! A closure: what it captured can not be seen.

use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
struct Button {
    on_click: Box<dyn Fn() + Send + Sync>, //~ mistake
}

fn main() {}

//~ fix: Box<dyn Fn() + Send + Sync> => pyo3::Py<pyo3::PyAny>
