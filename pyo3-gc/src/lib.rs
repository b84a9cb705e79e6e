//! wip
#![cfg_attr(docsrs, feature(doc_cfg))]

mod class;
mod dynamic;
mod graveyard;
mod impls;
mod opaque;
#[doc(hidden)]
pub mod private;
mod traversable;

pub use dynamic::DynPyGcTraversable;
pub use graveyard::Graveyard;
pub use opaque::PyGcOpaque;
pub use pyo3_gc_macros::{PyGcTraversable, pyclass, pymethods, traversable};
pub use traversable::PyGcTraversable;
