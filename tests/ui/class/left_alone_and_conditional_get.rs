//! A class that is left alone, with a key that PyO3 would overlook.

use pyo3::prelude::*;
use pyo3_gc::pyclass;

#[pyclass(gc = false)]
struct Node {
    #[cfg_attr(all(), pyo3(get))] //~ mistake
    value: Option<Py<PyAny>>,
}

fn main() {}

//~ fix: cfg_attr(all(), pyo3(get)) => pyo3(get)
