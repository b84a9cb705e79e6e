//! What `ui/traversable/unneeded_false.rs` should have said.

use pyo3::prelude::*;
use pyo3_gc::traversable;

#[traversable]
#[derive(FromPyObject)]
struct Request {
    #[pyo3(item("body"))]
    body: Py<PyAny>,
}
