//! What `ui/traversable/with_argument.rs` should have said.

use pyo3::prelude::*;
use pyo3_gc::traversable;

#[traversable]
#[pyo3_gc(crate = "pyo3_gc")]
#[derive(FromPyObject)]
struct Request {
    body: Py<PyAny>,
}
