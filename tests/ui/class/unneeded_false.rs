//! An exclusion that is not needed, on the field of a class.

use pyo3::prelude::*;
use pyo3_gc::{pyclass, pymethods};

#[pyclass]
struct Node {
    value: Option<Py<PyAny>>,
    #[pyo3(get, gc = false)] //~ mistake
    size: u64,
}

#[pymethods]
impl Node {}

fn main() {}

//~ fix: get, gc = false => get
