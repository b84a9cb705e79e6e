//! A trait that is declared, but whose objects can't be asked what they own.

trait Observer: Send {
    fn notify(&self);
}
pyo3_gc::dyn_traversable!(Observer); //~ mistake

fn main() {}

//~ fix: trait Observer: Send => trait Observer: pyo3_gc::DynPyGcTraversable + Send
