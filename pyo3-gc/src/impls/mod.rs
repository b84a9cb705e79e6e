//! Implementations for the types of std and PyO3, by family.
//!
//! What has none, and why: `ManuallyDrop` and `MaybeUninit` (whether they still own anything can't be known),
//! `Bound`, `Borrowed` and `Python` (they don't belong in a class), channels and thread handles (their contents
//! can't be seen), PyO3's `PyMutex` (it can't be tried without blocking), closures (they hide what they capture).

mod macros;

pub(crate) use locks::held;
#[cfg(any(lazy_get, feature = "once_cell"))]
pub(crate) use macros::lazy;
pub(crate) use macros::{
    channel, clear_through_graveyard, fields, guarded, map, of_parts, once, sequence, wrapper,
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
mod third_party;
