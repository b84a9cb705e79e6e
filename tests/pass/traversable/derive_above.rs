//! What `ui/traversable/derive_above.rs` should have said.

use pyo3::prelude::*;
use pyo3_gc::{PyGcTraversable, traversable};

#[traversable]
#[derive(PyGcTraversable)]
struct Request {
    body: Py<PyAny>,
}
