//! `PyErr` hides its exception.

use pyo3::prelude::*;
use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
struct Task {
    failure: Option<PyErr>, //~ mistake
}

fn main() {}

//~ fix: Option<PyErr> => Option<pyo3_gc::PyGcErr>
