//! A persistent collection of another crate, which has no impl: its user has to decide (crate-py/rpds#264).

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3_gc::{pyclass, pymethods};

/// As another crate has it: a new version shares its tail with the one before.
struct List<T>(Option<Arc<(T, List<T>)>>);

#[pyclass(frozen)]
struct Queue {
    front: List<Py<PyAny>>, //~ mistake
    length: usize,
}

#[pymethods]
impl Queue {}

fn main() {}

//~ fix: front: => #[pyo3_gc(hidden = "a list that shares its nodes")] front:
