//! Classes that `#[pyclass]` and `#[pymethods]` wire.

mod attributes;
mod blank;
mod dict_weakref;
mod freelist;
mod frozen;
mod hooks;
mod inheritance;
mod leaves;
mod lifecycle;
mod methods;
mod modules;
mod multiple;
mod names;
mod options;
mod reentry;
mod shapes;
#[path = "../support/mod.rs"]
mod support;
mod threads;
