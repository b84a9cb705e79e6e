//! The same, and a field that holds such objects.

trait Observer: pyo3_gc::DynPyGcTraversable + Send {}
pyo3_gc::dyn_traversable!(Observer);

#[derive(pyo3_gc::PyGcTraversable)]
struct Subject {
    observers: Vec<Box<dyn Observer>>,
}
