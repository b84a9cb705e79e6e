//! A type behind a trait object that doesn't say what it owns.

trait Observer: pyo3_gc::DynPyGcTraversable {}
pyo3_gc::dyn_traversable!(Observer);

struct Callback;

impl Observer for Callback {} //~ mistake

fn main() {}

//~ fix: struct Callback; => #[derive(pyo3_gc::PyGcTraversable)] struct Callback;
