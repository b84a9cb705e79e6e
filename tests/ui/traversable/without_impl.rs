//! A field whose type does not implement the trait, read by a derive of PyO3's.

use pyo3::prelude::*;
use pyo3_gc::traversable;

struct Handle;

impl<'a, 'py> FromPyObject<'a, 'py> for Handle {
    type Error = PyErr;

    fn extract(_: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        Ok(Self)
    }
}

#[traversable]
#[derive(FromPyObject)]
struct Request {
    body: Py<PyAny>,
    #[pyo3(item("fd"))]
    handle: Handle, //~ mistake
}

fn main() {}

//~ fix: item("fd") => item("fd"), gc = false
