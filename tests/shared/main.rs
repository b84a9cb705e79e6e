//! The types of this crate that classes hold, and pointers that several of them share.

mod arc;
mod gc_arc;
mod gc_weak;
mod opaque_python;
mod opaque_serde;
mod opaque_values;
mod pool;
mod pool_places;
mod pool_reentry;
mod pool_threads;
mod py_gc_err;
#[path = "../support/mod.rs"]
mod support;

use pyo3::prelude::*;

/// The Python object behind the `PyGcArc` or `PyGcPool` of `holder`, which only the collector sees.
fn node<'py>(holder: &Bound<'py, impl pyo3::PyTypeInfo>) -> Bound<'py, PyAny> {
    let gc = holder.py().import("gc").unwrap();
    let referents = gc.call_method1("get_referents", (holder,)).unwrap();
    let is_node = |referent: &Bound<'_, PyAny>| referent.get_type().name().unwrap() == "PyGcArc";
    referents.try_iter().unwrap().map(Result::unwrap).find(is_node).unwrap()
}
