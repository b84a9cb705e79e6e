//! A generic type with an argument that does not implement the trait.

use pyo3_gc::PyGcTraversable;

struct RawHandle;

#[derive(PyGcTraversable)]
struct Slot<T>(Option<T>);

#[derive(PyGcTraversable)]
struct Table {
    slot: Slot<RawHandle>, //~ mistake
}

fn main() {}

//~ fix: Slot<RawHandle> => Slot<u64>
