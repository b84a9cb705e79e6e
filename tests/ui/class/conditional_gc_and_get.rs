//! A condition on a key of ours, which is fine, and on one of PyO3's, which isn't.

use pyo3::prelude::*;
use pyo3_gc::{pyclass, pymethods};

#[pyclass]
struct Node {
    value: Option<Py<PyAny>>,
    #[cfg_attr(all(), pyo3(get, gc = true))] //~ mistake
    size: u64,
}

#[pymethods]
impl Node {}

fn main() {}

//~ fix: #[cfg_attr(all(), pyo3(get, gc = true))] => #[cfg_attr(all(), pyo3(gc = true))] #[pyo3(get)]
