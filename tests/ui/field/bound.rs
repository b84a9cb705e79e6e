//! A `Bound` does not belong into a class.

use pyo3::prelude::*;
use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
struct Call<'py> {
    callee: Bound<'py, PyAny>, //~ mistake
}

fn main() {}

//~ fix: Call<'py> => Call
//~ fix: Bound<'py, PyAny> => Py<PyAny>
