//! The macros of `pyo3-gc`. Use them through that crate, which re-exports them.

mod attr;
mod bounds;
mod check;
mod errors;
mod expand;
mod model;
mod recursion;

use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

/// Derives `PyGcTraversable`.
#[proc_macro_derive(PyGcTraversable, attributes(pyo3, pyo3_gc))]
pub fn derive_py_gc_traversable(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    expand::derive(&input).into()
}
