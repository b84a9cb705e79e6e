//! Two exclusions that are not needed: both are reported.

use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
struct Connection<'a> {
    #[pyo3(gc = false)] //~ mistake
    name: std::borrow::Cow<'a, str>,
    #[pyo3_gc(skip)] //~ mistake
    port: u16,
}

fn main() {}

//~ fix: #[pyo3(gc = false)] =>
//~ fix: #[pyo3_gc(skip)] =>
