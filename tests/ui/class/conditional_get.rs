//! A key of PyO3's that PyO3 would overlook.

use pyo3::prelude::*;
use pyo3_gc::{pyclass, pymethods};

#[pyclass]
struct Node {
    #[cfg_attr(debug_assertions, pyo3(get))] //~ mistake
    value: Option<Py<PyAny>>,
}

#[pymethods]
impl Node {}

fn main() {}

//~ fix: cfg_attr(debug_assertions, pyo3(get)) => pyo3(get)
