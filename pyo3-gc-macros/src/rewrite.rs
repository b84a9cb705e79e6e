//! Moves `gc = …` out of `#[pyo3(…)]`, whose other keys PyO3's macros read and which they want to know by heart.
//!
//! ```text
//! #[pyo3(get, gc = false)]                       #[pyo3(get)] #[__pyo3_gc(gc = false)]
//! #[cfg_attr(test, pyo3(gc = false), doc = "…")] #[cfg_attr(test, __pyo3_gc(gc = false), doc = "…")]
//! ```
//!
//! An attribute macro is handed `cfg_attr` unexpanded, so that this has to look into it.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};
use syn::{Attribute, Data, DeriveInput, Meta, parse_quote};

use crate::attr::{FORWARDED, PYO3, names_gc, split_at_commas};

/// Rewrites the attributes of the item, of its variants and of all fields.
pub(crate) fn rewrite(item: &mut DeriveInput) {
    rewrite_all(&mut item.attrs);
    match &mut item.data {
        Data::Struct(data) => data.fields.iter_mut().for_each(|field| rewrite_all(&mut field.attrs)),
        Data::Enum(data) => {
            for variant in &mut data.variants {
                rewrite_all(&mut variant.attrs);
                variant.fields.iter_mut().for_each(|field| rewrite_all(&mut field.attrs));
            }
        }
        Data::Union(data) => data.fields.named.iter_mut().for_each(|field| rewrite_all(&mut field.attrs)),
    }
}

fn rewrite_all(attributes: &mut Vec<Attribute>) {
    *attributes = attributes
        .drain(..)
        .flat_map(|attribute| {
            let metas = rewrite_meta(&attribute.meta);
            metas.into_iter().map(move |meta| Attribute { meta: parse_quote!(#meta), ..attribute.clone() })
        })
        .collect();
}

/// What stands between the brackets of an attribute, as one attribute or as several.
fn rewrite_meta(meta: &Meta) -> Vec<TokenStream> {
    match meta {
        Meta::List(list) if list.path.is_ident(PYO3) => {
            let (ours, theirs): (Vec<_>, Vec<_>) =
                split_at_commas(list.tokens.clone()).into_iter().partition(names_gc);
            let path = &list.path;
            let forwarded = format_ident!("{FORWARDED}");
            let theirs = (!theirs.is_empty() || ours.is_empty()).then(|| quote!(#path(#(#theirs),*)));
            let ours = (!ours.is_empty()).then(|| quote!(#forwarded(#(#ours),*)));
            theirs.into_iter().chain(ours).collect()
        }
        Meta::List(list) if list.path.is_ident("cfg_attr") => {
            let mut parts = split_at_commas(list.tokens.clone()).into_iter();
            let predicate = parts.next();
            let metas = parts.flat_map(|part| match syn::parse2::<Meta>(part.clone()) {
                Ok(meta) => rewrite_meta(&meta),
                Err(_) => vec![part],
            });
            let path = &list.path;
            vec![quote!(#path(#predicate, #(#metas),*))]
        }
        other => vec![other.to_token_stream()],
    }
}
