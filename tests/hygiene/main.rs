//! That the expansion compiles, without a warning, wherever it stands. Each module has its own lints.

// Where a module could not ask for them.
#![deny(future_incompatible, non_ascii_idents)]

mod bounds;
mod imports;
pub mod lints;
mod names;
mod pyo3_macros;
mod renamed_crate;
mod shapes;
mod stand_in;
mod types;
