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
