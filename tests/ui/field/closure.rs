//! A closure: what it captured can not be seen. What it returns it doesn't hold.

use pyo3::prelude::*;
use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
struct Button {
    on_click: Box<dyn Fn(Python<'_>) -> PyResult<()> + Send + Sync>, //~ mistake
}

fn main() {}

//~ fix: Box<dyn Fn(Python<'_>) -> PyResult<()> + Send + Sync> => Py<PyAny>
