//! A wrong argument that a `macro_rules!` fragment hands over.

use pyo3::prelude::*;
use pyo3_gc::{pyclass, pymethods};

macro_rules! class {
    ($($argument:meta),*) => {
        #[pyclass($($argument),*)]
        struct Node {
            value: Option<Py<PyAny>>,
        }

        #[pymethods]
        impl Node {}
    };
}

class!(frozen, gc = nonsense); //~ mistake

fn main() {}

//~ fix: , gc = nonsense =>
