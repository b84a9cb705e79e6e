//! Implementations for the types of std and PyO3, by family. The chapter on implementations (`docs/impls.md`) lists them,
//! and says what has none, and why.

mod macros;

pub(crate) use locks::held;
#[cfg(any(lazy_get, feature = "once_cell"))]
pub(crate) use macros::lazy;
pub(crate) use macros::{
    bury_items, channel, clear_through_graveyard, composed, fields, guarded, map, of_parts, once, sequence,
    wrapper,
};

mod cells;
mod channels;
mod collections;
mod compound;
mod io;
mod iterators;
mod leaf;
mod locks;
mod pinned;
mod pointers;
mod python;
mod python_optional;
mod shared;
mod stand_ins;
mod third_party;
