//! A value in parentheses on the field of a class.

use pyo3::prelude::*;
use pyo3_gc::{pyclass, pymethods};

struct RawHandle;

#[pyclass]
struct Node {
    value: Option<Py<PyAny>>,
    #[pyo3(gc(false))] //~ mistake
    handle: RawHandle,
}

#[pymethods]
impl Node {}

fn main() {}

//~ fix: pyo3(gc(false)) => pyo3_gc(skip)
