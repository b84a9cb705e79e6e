//! An exclusion that is not needed, beside a key of PyO3's.

use pyo3::prelude::*;
use pyo3_gc::traversable;

#[traversable]
#[derive(FromPyObject)]
struct Request {
    #[pyo3(item("body"), gc = false)] //~ mistake
    body: Py<PyAny>,
}

fn main() {}

//~ fix: item("body"), gc = false => item("body")
