//! What `ui/field/persistent_collection.rs` should have said.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3_gc::{pyclass, pymethods};

/// As another crate has it: a new version shares its tail with the one before.
struct List<T>(Option<Arc<(T, List<T>)>>);

#[pyclass(frozen)]
struct Queue {
    #[pyo3(gc = false)]
    front: List<Py<PyAny>>,
    length: usize,
}

#[pymethods]
impl Queue {}
