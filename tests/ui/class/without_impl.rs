//! A field of a class whose type does not implement the trait.

use pyo3::prelude::*;
use pyo3_gc::{pyclass, pymethods};

struct RawHandle;

#[pyclass]
struct Node {
    value: Option<Py<PyAny>>,
    handle: RawHandle, //~ mistake
}

#[pymethods]
impl Node {}

fn main() {}

//~ fix: handle: => #[pyo3(gc = false)] handle:
