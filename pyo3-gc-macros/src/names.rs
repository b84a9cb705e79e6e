//! Paths and places that expansions refer to.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Ident, Type};

use crate::model::Container;

/// The trait, and the derive.
pub(crate) const TRAIT: &str = "PyGcTraversable";

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

/// `<ty as PyGcTraversable>::name`, at the field's type.
pub(crate) fn in_trait(ty: &Type, traversable: &TokenStream, name: &str) -> TokenStream {
    let span = located(ty.span());
    let name = Ident::new(name, span);
    // `dyn Shape +` is a type, and `dyn Shape + as` would be the start of a longer one.
    let without_plus = match ty {
        Type::TraitObject(object) if object.bounds.trailing_punct() => {
            let mut object = object.clone();
            object.bounds.pop_punct();
            Some(Type::TraitObject(object))
        }
        _ => None,
    };
    let ty = without_plus.as_ref().unwrap_or(ty);
    quote_spanned!(span=> <#ty as #traversable>::#name)
}

/// A name for a local or a parameter of the expansion that no name of the user's can be mistaken for.
pub(crate) fn local(name: &str) -> Ident {
    format_ident!("__pyo3_gc_{name}", span = Span::mixed_site())
}
