//! An argument of an attribute that takes none.

use pyo3::prelude::*;
use pyo3_gc::traversable;

#[traversable(crate = "pyo3_gc")] //~ mistake
#[derive(FromPyObject)]
struct Request {
    body: Py<PyAny>,
}

fn main() {}

//~ fix: #[traversable(crate = "pyo3_gc")] => #[traversable] #[pyo3_gc(crate = "pyo3_gc")]
