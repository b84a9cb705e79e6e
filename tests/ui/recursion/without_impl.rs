//! A container of the type itself that has no impl, by the name of one that does.

use pyo3_gc::PyGcTraversable;

struct IndexMap<K, V>(Vec<(K, V)>);

#[derive(PyGcTraversable)]
struct Node {
    named: IndexMap<String, Node>, //~ mistake
}

fn main() {}

//~ fix: struct IndexMap => #[derive(PyGcTraversable)] struct IndexMap
