//! `gc = false` says that the field owns no Python object.

#![allow(unused_imports)]

use pyo3::prelude::*;
use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
struct Holder {
    #[pyo3(gc = false)] //~ mistake
    value: std::sync::mpsc::Sender<Result<u8, PyErr>>,
}

fn main() {}

//~ fix: #[pyo3(gc = false)] => #[pyo3_gc(hidden = "a reason")]
