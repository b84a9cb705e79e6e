//! Each type behind a trait object says what it owns.

trait Observer: pyo3_gc::DynPyGcTraversable {}
pyo3_gc::dyn_traversable!(Observer);

#[derive(pyo3_gc::PyGcTraversable)]
struct Callback;

impl Observer for Callback {}
