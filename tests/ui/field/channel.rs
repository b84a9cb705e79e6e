//! A channel through which Python objects are sent.

use std::sync::mpsc;

use pyo3::prelude::*;
use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
struct Job {
    callback: Py<PyAny>,
}

#[derive(PyGcTraversable)]
struct Worker {
    jobs: mpsc::Sender<Job>, //~ mistake
    results: mpsc::Receiver<PyResult<Py<PyAny>>>, //~ mistake
}

fn main() {}

//~ fix: callback: Py<PyAny> => callback: pyo3_gc::PyGcPooled<PyAny>
//~ fix: PyResult<Py<PyAny>> => pyo3_gc::PyGcPooled<PyAny>
