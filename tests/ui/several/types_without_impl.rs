//! Different fields, different types, one error each.

use pyo3_gc::PyGcTraversable;

struct RawHandle;
struct Callback<T>(T);

#[derive(PyGcTraversable)]
struct Connection<T> {
    handle: RawHandle, //~ mistake
    value: T,
    callback: Callback<T>, //~ mistake
}

fn main() {}

//~ fix: handle: => #[pyo3(gc = false)] handle:
//~ fix: callback: => #[pyo3(gc = false)] callback:
