//! The same, and a field that holds such objects.

trait Observer: Send {}
pyo3_gc::dyn_traversable!(Observer); //~ mistake

#[derive(pyo3_gc::PyGcTraversable)]
struct Subject {
    observers: Vec<Box<dyn Observer>>,
}

fn main() {}

//~ fix: trait Observer: Send => trait Observer: pyo3_gc::DynPyGcTraversable + Send
