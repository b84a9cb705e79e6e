//! A class that is left alone, with a block that would install hooks.

use pyo3::prelude::*;
use pyo3_gc::{pyclass, pymethods};

#[pyclass(gc = false)]
struct Node {
    value: Option<Py<PyAny>>,
}

#[pymethods]
impl Node { //~ mistake
    fn is_empty(&self) -> bool {
        self.value.is_none()
    }
}

fn main() {}

//~ fix: #[pymethods] => #[pymethods(gc = false)]
