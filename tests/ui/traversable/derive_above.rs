//! The derive above the attribute that stands for it.

use pyo3::prelude::*;
use pyo3_gc::{PyGcTraversable, traversable};

#[derive(PyGcTraversable)] //~ mistake
#[traversable]
struct Request {
    body: Py<PyAny>,
}

fn main() {}

//~ fix: #[derive(PyGcTraversable)] =>
//~ fix: #[traversable] => #[traversable] #[derive(PyGcTraversable)]
