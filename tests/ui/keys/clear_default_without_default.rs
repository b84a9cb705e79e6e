//! There is nothing to put in place of the value.

use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)] //~ mistake
#[pyo3_gc(clear = default)]
struct Registry {
    index: Vec<pyo3::Py<pyo3::PyAny>>,
}

fn main() {}

//~ fix: #[derive(PyGcTraversable)] => #[derive(Default, PyGcTraversable)]
