//! The macros of `pyo3-gc`. Use them through that crate, which re-exports them all and is named by what they expand to.

// Documented where `pyo3-gc` re-exports them: the examples need that crate.
#![allow(missing_docs)]

mod advice;
mod attr;
mod bounds;
mod check;
mod errors;
mod exclusion;
mod expand;
mod hidden;
mod leaves;
mod meta;
mod model;
mod names;
mod pyclass;
mod pymethods;
mod recursion;
mod rewrite;

use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

#[proc_macro_derive(PyGcTraversable, attributes(pyo3, pyo3_gc, __pyo3_gc))]
pub fn derive_py_gc_traversable(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    expand::derive(&input, cfg!(feature = "testing")).into()
}

#[proc_macro_attribute]
pub fn pyclass(arguments: TokenStream, item: TokenStream) -> TokenStream {
    pyclass::pyclass(arguments.into(), &item.into()).into()
}

#[proc_macro_attribute]
pub fn pymethods(arguments: TokenStream, item: TokenStream) -> TokenStream {
    pymethods::pymethods(&arguments.into(), &item.into()).into()
}

#[proc_macro_attribute]
pub fn traversable(arguments: TokenStream, item: TokenStream) -> TokenStream {
    pyclass::traversable(&arguments.into(), &item.into()).into()
}
