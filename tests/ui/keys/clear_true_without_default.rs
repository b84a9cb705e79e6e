//! There is nothing to put in place of the field.

use pyo3_gc::PyGcTraversable;

struct Index(u8);
pyo3_gc::leaf!(Index);

#[derive(PyGcTraversable)]
struct Registry {
    #[pyo3_gc(clear = true)]
    index: Index, //~ mistake
}

fn main() {}

//~ fix: struct Index => #[derive(Default)] struct Index
