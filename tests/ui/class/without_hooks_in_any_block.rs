//! The only block of a class is one that installs no hooks.

use pyo3::prelude::*;
use pyo3_gc::{pyclass, pymethods};

#[pyclass]
struct Node { //~ mistake
    value: Option<Py<PyAny>>,
}

#[pymethods(gc = false)]
impl Node {
    fn is_empty(&self) -> bool {
        self.value.is_none()
    }
}

fn main() {}

//~ fix: #[pymethods(gc = false)] => #[pymethods]
