//! The types of this crate that classes hold, and pointers that several of them share.

mod arc;
mod gc_arc;
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
