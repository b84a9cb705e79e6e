//! Moves `gc = …` out of `#[pyo3(…)]`, whose other keys PyO3's macros read and which they want to know by heart.
//!
//! ```text
//! #[pyo3(get, gc = false)]                       #[pyo3(get)] #[__pyo3_gc(gc = false)]
//! #[cfg_attr(test, pyo3(gc = false), doc = "…")] #[cfg_attr(test, __pyo3_gc(gc = false), doc = "…")]
//! ```
//!
//! An attribute macro is handed the `cfg_attr`s of fields and variants unexpanded, so that this has to look into them.
//! PyO3's `#[pyclass]` doesn't: what is in there for it would be lost, without a word, since the derive declares `pyo3`
//! as an attribute.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};
use syn::{Attribute, Data, DeriveInput, Meta, MetaList, parse_quote};

use crate::attr::{FORWARDED, PYO3, names_gc};
use crate::entry::split_at_commas;
use crate::errors::Errors;

/// Who reads PyO3's keys.
#[derive(Clone, Copy)]
pub(crate) enum Reader<'a> {
    /// Derives, after `cfg_attr` was expanded.
    Derives,
    /// `#[pyclass]`, before; what it doesn't see is reported.
    PyClass(&'a Errors),
}

/// Rewrites the attributes of the item, of its variants and of all fields.
pub(crate) fn rewrite(item: &mut DeriveInput, reader: Reader<'_>) {
    let rewrite = |attributes: &mut Vec<Attribute>| rewrite_all(attributes, reader);
    rewrite(&mut item.attrs);
    match &mut item.data {
        Data::Struct(data) => data.fields.iter_mut().for_each(|field| rewrite(&mut field.attrs)),
        Data::Enum(data) => {
            for variant in &mut data.variants {
                rewrite(&mut variant.attrs);
                variant.fields.iter_mut().for_each(|field| rewrite(&mut field.attrs));
            }
        }
        Data::Union(data) => data.fields.named.iter_mut().for_each(|field| rewrite(&mut field.attrs)),
    }
}

fn rewrite_all(attributes: &mut Vec<Attribute>, reader: Reader<'_>) {
    *attributes = attributes
        .drain(..)
        .flat_map(|attribute| {
            let metas = rewrite_meta(&attribute.meta, reader);
            metas.into_iter().map(move |meta| Attribute { meta: parse_quote!(#meta), ..attribute.clone() })
        })
        .collect();
}

/// What stands between the brackets of an attribute, as one attribute or as several.
fn rewrite_meta(meta: &Meta, reader: Reader<'_>) -> Vec<TokenStream> {
    match meta {
        Meta::List(list) if list.path.is_ident(PYO3) => {
            let [theirs, ours] = split(list);
            theirs.into_iter().chain(ours).collect()
        }
        Meta::List(list) if list.path.is_ident("cfg_attr") => {
            let mut parts = split_at_commas(list.tokens.clone()).into_iter();
            let predicate = parts.next();
            let metas = parts.flat_map(|part| match syn::parse2::<Meta>(part.clone()) {
                Ok(meta) => {
                    report_unread(&meta, reader);
                    rewrite_meta(&meta, reader)
                }
                Err(_) => vec![part],
            });
            let path = &list.path;
            vec![quote!(#path(#predicate, #(#metas),*))]
        }
        other => vec![other.to_token_stream()],
    }
}

/// `#[pyo3(…)]`, divided into what is PyO3's and what is ours.
fn split(list: &MetaList) -> [Option<TokenStream>; 2] {
    let (ours, theirs): (Vec<_>, Vec<_>) =
        split_at_commas(list.tokens.clone()).into_iter().partition(names_gc);
    let path = &list.path;
    let forwarded = format_ident!("{FORWARDED}");
    let is_theirs = !theirs.is_empty() || ours.is_empty();
    let is_ours = !ours.is_empty();
    [is_theirs.then(|| quote!(#path(#(#theirs),*))), is_ours.then(|| quote!(#forwarded(#(#ours),*)))]
}

/// Reports a `#[pyo3(…)]` within a `cfg_attr` that says something to a `#[pyclass]` that won't see it.
fn report_unread(meta: &Meta, reader: Reader<'_>) {
    let (Reader::PyClass(errors), Meta::List(list)) = (reader, meta) else {
        return;
    };
    if list.path.is_ident(PYO3) && split(list)[0].is_some() {
        errors.push(syn::Error::new_spanned(
            list,
            "`#[pyclass]` of PyO3 doesn't look into `cfg_attr` here: only `gc = ...` may be conditional; for the other \
             keys write the field or variant twice, under `#[cfg(...)]` and `#[cfg(not(...))]`",
        ));
    }
}
