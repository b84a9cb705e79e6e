//! The same with an impl.

use pyo3_gc::PyGcTraversable;

#[derive(PyGcTraversable)]
struct IndexMap<K, V>(Vec<(K, V)>);

#[derive(PyGcTraversable)]
struct Node {
    named: IndexMap<String, Node>,
}
