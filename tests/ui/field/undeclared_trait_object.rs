//! A trait object of a generic trait that was not declared.

use pyo3_gc::{DynPyGcTraversable, PyGcTraversable};

trait Visitor<T>: DynPyGcTraversable {
    fn visit(&self, node: &T);
}

#[derive(PyGcTraversable)]
struct Walk<T> {
    visitors: Vec<Box<dyn Visitor<T>>>, //~ mistake
}

fn main() {}

//~ fix: #[derive(PyGcTraversable)] => pyo3_gc::dyn_traversable!(impl[T] Visitor<T>); #[derive(PyGcTraversable)]
