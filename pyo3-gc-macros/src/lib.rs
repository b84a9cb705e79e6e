//! The macros of `pyo3-gc`. Use them through that crate, which re-exports them.

mod attr;
mod bounds;
mod check;
mod errors;
mod expand;
mod model;
mod pyclass;
mod pymethods;
mod recursion;
mod rewrite;

use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

/// Derives `PyGcTraversable`.
#[proc_macro_derive(PyGcTraversable, attributes(pyo3, pyo3_gc, __pyo3_gc))]
pub fn derive_py_gc_traversable(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    expand::derive(&input).into()
}

/// PyO3's `#[pyclass]`, with the derive.
#[proc_macro_attribute]
pub fn pyclass(arguments: TokenStream, item: TokenStream) -> TokenStream {
    pyclass::pyclass(arguments.into(), &item.into()).into()
}

/// PyO3's `#[pymethods]`, with the hooks.
#[proc_macro_attribute]
pub fn pymethods(arguments: TokenStream, item: TokenStream) -> TokenStream {
    pymethods::pymethods(&arguments.into(), &item.into()).into()
}

/// The derive for types that also derive `FromPyObject`.
#[proc_macro_attribute]
pub fn traversable(arguments: TokenStream, item: TokenStream) -> TokenStream {
    pyclass::traversable(&arguments.into(), &item.into()).into()
}
