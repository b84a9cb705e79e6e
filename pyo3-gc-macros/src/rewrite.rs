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

use crate::attr::{FORWARDED, LEFT_ALONE, PYO3, PYO3_GC, names_gc};
use crate::errors::Errors;
use crate::meta::split_at_commas;

const UNREAD: &str = "`#[pyclass]` of PyO3 doesn't look into `cfg_attr` here: only `gc = ...` may be conditional; for \
                      the other keys write the field or variant twice, under `#[cfg(...)]` and `#[cfg(not(...))]`";

/// Who reads the attributes.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Reader {
    /// Our derive and others, after `cfg_attr` was expanded.
    Derives,
    /// PyO3's `#[pyclass]`, before, and then our derive.
    PyClass,
    /// PyO3's `#[pyclass]` alone.
    LeftAlone,
}

/// Rewrites the attributes of the item, of its variants and of all fields. Those that nobody would read are taken out,
/// and reported by what comes back.
pub(crate) fn rewrite(item: &mut DeriveInput, reader: Reader) -> Option<TokenStream> {
    let errors = Errors::new();
    let rewrite = |attributes: &mut Vec<Attribute>| rewrite_all(attributes, reader, &errors);
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
    errors.finish().err().map(|error| error.to_compile_error())
}

fn rewrite_all(attributes: &mut Vec<Attribute>, reader: Reader, errors: &Errors) {
    *attributes = attributes
        .drain(..)
        .flat_map(|attribute| {
            let metas = rewrite_meta(&attribute.meta, reader, errors);
            metas.into_iter().map(move |meta| Attribute { meta: parse_quote!(#meta), ..attribute.clone() })
        })
        .collect();
}

/// What stands between the brackets of an attribute, as one attribute, as several, or as none.
fn rewrite_meta(meta: &Meta, reader: Reader, errors: &Errors) -> Vec<TokenStream> {
    match meta {
        Meta::List(list) if list.path.is_ident(PYO3) => {
            let [theirs, ours] = split(list);
            let ours = ours.filter(|ours| {
                let read = reader != Reader::LeftAlone;
                if !read {
                    errors.push(syn::Error::new_spanned(&ours.tokens, LEFT_ALONE));
                }
                read
            });
            theirs.into_iter().chain(ours).map(MetaList::into_token_stream).collect()
        }
        meta if meta.path().is_ident(PYO3_GC) && reader == Reader::LeftAlone => {
            errors.push(syn::Error::new_spanned(meta, LEFT_ALONE));
            Vec::new()
        }
        Meta::List(list) if list.path.is_ident("cfg_attr") => {
            let mut parts = split_at_commas(list.tokens.clone()).into_iter();
            let predicate = parts.next();
            let metas: Vec<_> = parts
                .flat_map(|part| match syn::parse2::<Meta>(part.clone()) {
                    Ok(meta) if reader != Reader::Derives && names_pyo3s(&meta) => {
                        errors.push(syn::Error::new_spanned(meta, UNREAD));
                        Vec::new()
                    }
                    Ok(meta) => rewrite_meta(&meta, reader, errors),
                    Err(_) => vec![part],
                })
                .collect();
            let path = &list.path;
            if metas.is_empty() { Vec::new() } else { vec![quote!(#path(#predicate, #(#metas),*))] }
        }
        other => vec![other.to_token_stream()],
    }
}

/// `#[pyo3(…)]`, divided into what is PyO3's and what is ours.
fn split(list: &MetaList) -> [Option<MetaList>; 2] {
    let (ours, theirs): (Vec<_>, Vec<_>) =
        split_at_commas(list.tokens.clone()).into_iter().partition(names_gc);
    let with = |path, parts: &[TokenStream]| MetaList { path, tokens: quote!(#(#parts),*), ..list.clone() };
    let is_theirs = !theirs.is_empty() || ours.is_empty();
    let is_ours = !ours.is_empty();
    [
        is_theirs.then(|| with(list.path.clone(), &theirs)),
        is_ours.then(|| with(format_ident!("{FORWARDED}").into(), &ours)),
    ]
}

/// Whether a meta is a `pyo3(…)` with keys of PyO3's.
fn names_pyo3s(meta: &Meta) -> bool {
    matches!(meta, Meta::List(list) if list.path.is_ident(PYO3) && split(list)[0].is_some())
}
