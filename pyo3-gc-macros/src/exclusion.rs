//! The part of the expansion that makes sure that a field which is excluded has to be, and that one which isn't hides
//! nothing.
//!
//! For `#[pyo3(gc = false)] id: Id`:
//!
//! ```text
//! const _: () = {
//!     use __private::NotTraversable as _;
//!     assert!(!<__private::Probe<Id>>::IS_ALWAYS_TRAVERSABLE, "…");
//! };
//! ```
//!
//! An impl that only a feature of the runtime crate brings doesn't count: another crate of the build may have turned it on.
//!
//! A constant each, so that one compile reports every field; outside of the impl, since rustc evaluates its constants
//! only where they are used. That is where the assertion stands if the type names parameters of the item.

use proc_macro2::{Group, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::Ident;
use syn::spanned::Spanned;

use crate::advice::remedy;
use crate::attr::mentions;
use crate::model::{Container, Field};

/// The assertions that stand on their own, as items.
pub(crate) fn items(container: &Container<'_>, private: &TokenStream) -> TokenStream {
    let allowed = &container.allowed;
    assertions(container, private, false)
        .map(|assertion| {
            quote! {
                #[allow(deprecated, unused_imports)]
                #(#[allow(#allowed)])*
                const _: () = {
                    use #private::NotTraversable as _;
                    #assertion
                };
            }
        })
        .collect()
}

/// The assertions about types that only the impl can name, as statements.
pub(crate) fn statements(container: &Container<'_>, private: &TokenStream) -> TokenStream {
    let assertions: Vec<_> = assertions(container, private, true).collect();
    if assertions.is_empty() {
        return TokenStream::new();
    }
    quote! {
        #[allow(unused_imports)]
        use #private::NotTraversable as _;
        #(#assertions)*
    }
}

fn assertions<'a>(
    container: &'a Container<'_>,
    private: &'a TokenStream,
    generic: bool,
) -> impl Iterator<Item = TokenStream> + 'a {
    container.fields().filter_map(move |field| {
        let hides = || hides(field).filter(|_| !names_params(field, container));
        let (span, constant, message) = unneeded(field).or_else(hides)?;
        (names_params(field, container) == generic).then(|| {
            let ty = elide(field.ty.to_token_stream(), container);
            let span = Span::mixed_site().located_at(span);
            let constant = Ident::new(constant, span);
            quote_spanned!(span=> ::core::assert!(!<#private::Probe<#ty>>::#constant, #message);)
        })
    })
}

/// For a field that is excluded: where to say that it needn't be, what to ask its type, and the words.
fn unneeded(field: &Field<'_>) -> Option<(Span, &'static str, String)> {
    let (key, spelling) = field.attrs.excluded()?;
    let message = format!(
        "field `{}` is excluded from garbage collection, but its type implements `PyGcTraversable`: \
         remove `{spelling}`, or wrap the field in `PyGcOpaque` to hide it from the collector on purpose",
        field.name()
    );
    Some((key, "IS_ALWAYS_TRAVERSABLE", message))
}

/// The same for one whose type is known by its name for what it hides, if it doesn't implement the trait, or says so itself.
fn hides(field: &Field<'_>) -> Option<(Span, &'static str, String)> {
    let remedy = remedy(field.ty).filter(|_| field.is_traversed() && field.with().is_none())?;
    let message = format!("field `{}` can't be shown to the garbage collector: {remedy}", field.name());
    Some((field.ty.span(), "IS_UNSHOWN", message))
}

/// Whether the field is asked through the probe, since an assertion says all that there is to say if it has no answer.
pub(crate) fn is_probed(field: &Field<'_>, container: &Container<'_>) -> bool {
    hides(field).is_some() && !names_params(field, container)
}

/// Whether the field's type names what is known only inside the impl. Lifetimes don't count: any will do.
fn names_params(field: &Field<'_>, container: &Container<'_>) -> bool {
    mentions(field.ty.to_token_stream(), &|ident| {
        ident == "Self"
            || container.generics.type_params().any(|param| param.ident == *ident)
            || container.generics.const_params().any(|param| param.ident == *ident)
    })
}

/// The type with `'_` in the place of the item's lifetimes, which an item beside it can't name.
fn elide(ty: TokenStream, container: &Container<'_>) -> TokenStream {
    let mut in_lifetime = false;
    let elided = ty.into_iter().map(|token| {
        let after_quote = std::mem::replace(&mut in_lifetime, is_quote(&token));
        match token {
            TokenTree::Ident(ident) if after_quote && declares(container, &ident) => {
                Ident::new("_", ident.span()).into()
            }
            TokenTree::Group(group) => {
                let mut elided = Group::new(group.delimiter(), elide(group.stream(), container));
                elided.set_span(group.span());
                elided.into()
            }
            token => token,
        }
    });
    elided.collect()
}

fn is_quote(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == '\'')
}

fn declares(container: &Container<'_>, lifetime: &Ident) -> bool {
    container.generics.lifetimes().any(|param| param.lifetime.ident == *lifetime)
}
