//! Its objects can be asked what they own, through its supertrait.

trait Observer: pyo3_gc::DynPyGcTraversable + Send {
    fn notify(&self);
}
pyo3_gc::dyn_traversable!(Observer);
