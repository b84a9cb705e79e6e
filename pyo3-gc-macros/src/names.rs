//! Paths and places that expansions refer to.

use std::borrow::Cow;

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Ident, Type};

use crate::model::{Container, Field};

/// The trait, and the derive.
pub(crate) const TRAIT: &str = "PyGcTraversable";
/// The constant that is `MAY_CONTAIN_CYCLES`. Where types name each other without a mark, rustc says its name.
pub(crate) const ANSWER: &str = "put__pyo3_gc_recursive__on_one_of_these_types";

/// Paths into this project's runtime crate, wherever the user has put it.
pub(crate) struct Paths {
    /// What brings the names into scope, if they aren't full paths.
    pub(crate) import: Option<TokenStream>,
    pub(crate) traversable: TokenStream,
    pub(crate) graveyard: TokenStream,
    pub(crate) private: TokenStream,
    /// The trait of stand-ins.
    pub(crate) traverse_as: TokenStream,
}

impl Paths {
    pub(crate) fn new(container: &Container<'_>) -> Self {
        match &container.attrs.krate {
            None => Self {
                import: None,
                traversable: quote!(::pyo3_gc::PyGcTraversable),
                graveyard: quote!(::pyo3_gc::Graveyard),
                private: quote!(::pyo3_gc::__private),
                traverse_as: quote!(::pyo3_gc::PyGcTraverseAs),
            },
            // An import that fails is one error; a path that fails is one wherever it stands.
            Some(krate) => {
                let path = &krate.value;
                let [traversable, graveyard, private] =
                    ["__PyO3GcTraversable", "__PyO3GcGraveyard", "__pyo3_gc_private"]
                        .map(|name| Ident::new(name, Span::call_site()).into_token_stream());
                let span = located(path.span());
                let import = quote_spanned! {span=>
                    #[allow(unused_imports)]
                    use #path::{Graveyard as #graveyard, PyGcTraversable as #traversable, __private as #private};
                };
                let traverse_as = quote!(#private::PyGcTraverseAs);
                Self { import: Some(import), traversable, graveyard, private, traverse_as }
            }
        }
    }
}

/// Where the user wrote something, for what the macro makes of it: errors point there, lints know whose it is.
pub(crate) fn located(span: Span) -> Span {
    Span::mixed_site().located_at(span)
}

/// What a field calls `name`: that of its type, of what stands in for it, or, where the type may not implement the trait, of
/// the probe. At what is asked.
///
/// ```text
/// <Vec<T> as PyGcTraversable>::name
/// <StandIn as PyGcTraverseAs<Foreign>>::name
/// <__private::Probe<PyErr>>::name
/// ```
pub(crate) fn in_field(field: &Field<'_>, is_probed: bool, paths: &Paths, name: &str) -> TokenStream {
    let asked = field.with().unwrap_or(field.ty);
    let span = located(asked.span());
    let name = Ident::new(name, span);
    if is_probed {
        let private = &paths.private;
        return quote_spanned!(span=> <#private::Probe<#asked>>::#name);
    }
    let of = implemented(field, paths);
    let asked = without_plus(asked);
    quote_spanned!(span=> <#asked as #of>::#name)
}

/// The trait that the field's type implements, or that of its stand-in.
pub(crate) fn implemented(field: &Field<'_>, paths: &Paths) -> TokenStream {
    let Paths { traversable, traverse_as, .. } = paths;
    match field.with() {
        Some(_) => {
            let ty = field.ty;
            quote!(#traverse_as<#ty>)
        }
        None => traversable.clone(),
    }
}

/// `dyn Shape +` is a type, and `dyn Shape + as` would be the start of a longer one.
fn without_plus(ty: &Type) -> Cow<'_, Type> {
    match ty {
        Type::TraitObject(object) if object.bounds.trailing_punct() => {
            let mut object = object.clone();
            object.bounds.pop_punct();
            Cow::Owned(Type::TraitObject(object))
        }
        _ => Cow::Borrowed(ty),
    }
}

/// A name for a local or a parameter of the expansion that no name of the user's can be mistaken for.
pub(crate) fn local(name: &str) -> Ident {
    format_ident!("__pyo3_gc_{name}", span = Span::mixed_site())
}
