//! What `ui/field/undeclared_trait_object.rs` should have said.

use pyo3_gc::{DynPyGcTraversable, PyGcTraversable};

trait Visitor<T>: DynPyGcTraversable {
    fn visit(&self, node: &T);
}
pyo3_gc::dyn_traversable!(impl[T] Visitor<T>);

#[derive(PyGcTraversable)]
struct Walk<T> {
    visitors: Vec<Box<dyn Visitor<T>>>,
}
