//! The derive: model → tokens. Nothing here can fail; mistakes were found before.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{DeriveInput, Ident};

use crate::bounds::{self, Need};
use crate::check::check;
use crate::errors::Errors;
use crate::exclusion;
use crate::hidden;
use crate::model::{Container, Field, Shape};
use crate::names::{ANSWER, Paths, in_field, local, located};
use crate::recursion;

/// `#[derive(PyGcTraversable)]`. On a mistake: the errors, and an impl all the same, so that code that uses the
/// type doesn't add errors of its own. `keeps_list` says whether somebody may ask for the hidden fields.
pub(crate) fn derive(input: &DeriveInput, keeps_list: bool) -> TokenStream {
    let errors = Errors::new();
    let container = Container::read(&errors, input);
    check(&errors, &container, &input.attrs);
    match errors.finish() {
        Ok(()) => expand(&container, keeps_list),
        Err(errors) => {
            let errors = errors.to_compile_error();
            let fallback = fallback(&container);
            quote!(#errors #fallback)
        }
    }
}

/// The impl. For `enum Shape<T> { Dot, Group { parts: Vec<T>, #[pyo3(gc = false)] id: Id } }`:
///
/// ```text
/// unsafe impl<T> PyGcTraversable for Shape<T> where T: PyGcTraversable {
///     const MAY_CONTAIN_CYCLES: bool = …; // see `recursion`
///     fn traverse(&self, visit: PyVisit<'_>) -> TraverseResult {
///         match self {
///             Self::Dot {} => {}
///             Self::Group { parts: field_0, .. } => {
///                 if let Err(error) = <Vec<T> as PyGcTraversable>::traverse(field_0, __private::again(&visit)) {
///                     return Err(error);
///                 }
///             }
///         }
///         Ok(())
///     }
///     fn clear(&mut self) { __private::clear_now(self) }
///     fn clear_interior(&self) { __private::clear_interior_now(self) }
///     fn clear_into<'g>(&mut self, graveyard: &mut Graveyard<'g>) where Self: 'g { … }
///     fn clear_interior_into<'g>(&self, graveyard: &mut Graveyard<'g>) where Self: 'g { … }
/// }
/// const _: () = …; // that `id` had to be excluded, see `exclusion`
/// ```
///
/// It keeps the contract of the trait: 1 and 4: each field of the live variant is named once, and visited once by an
/// impl that keeps the contract (or by a stand-in, whose impl promises the same). 2: borrowing and matching read.
/// 3: an error is returned as it is (not by `?`, which costs rustc more). 5: the OR over all fields that are visited.
/// 6: fields are cleared in place, by their own impls.
///
/// Every call names the field's type, at the field's type: where that doesn't implement the trait, rustc finds the
/// same mistake with the same words at the same place in every method, and reports it once.
fn expand(container: &Container<'_>, keeps_list: bool) -> TokenStream {
    let paths = Paths::new(container);
    let Paths { traversable, private, graveyard, .. } = &paths;
    let assertions = exclusion::statements(container, private);
    let may_contain_cycles = recursion::may_contain_cycles(container, &paths);
    let answer = Ident::new(ANSWER, Span::call_site());
    let shared = quote!(&);
    let exclusive = quote!(&mut);

    let (visit, error) = (local("visit"), local("error"));
    let traverse = for_fields(container, &shared, Field::is_traversed, |field, borrowed| {
        let arguments = quote!(#borrowed, #private::again(&#visit));
        let call = call(field, container, &paths, "traverse", &arguments);
        quote! {
            if let #private::Err(#error) = #call {
                return #private::Err(#error);
            }
        }
    });

    let grave = local("graveyard");
    let (clear, clear_interior) = match &container.attrs.clear {
        // Its parts must agree with one another, so that none is emptied alone.
        Some(whole) if whole.value => {
            let whole = quote! {
                if <Self as #traversable>::MAY_CONTAIN_CYCLES {
                    #private::bury_whole(self, #grave);
                }
            };
            (whole, TokenStream::new())
        }
        Some(_) => (TokenStream::new(), TokenStream::new()),
        None => {
            let is_emptied = |field: &Field<'_>| field.is_cleared() || field.is_replaced();
            let clear = for_fields(container, &exclusive, is_emptied, |field, borrowed| {
                let arguments = quote!(#borrowed, #grave);
                if field.is_replaced() {
                    let span = located(field.ty.span());
                    let ty = field.ty;
                    return quote_spanned!(span=> #private::bury_default::<#ty>(#arguments););
                }
                let call = call(field, container, &paths, "clear_into", &arguments);
                quote!(#call;)
            });
            let clear_interior = for_fields(container, &shared, Field::is_cleared, |field, borrowed| {
                let call = call(field, container, &paths, "clear_interior_into", &quote!(#borrowed, #grave));
                quote!(#call;)
            });
            (clear, clear_interior)
        }
    };
    let probe = container.fields().any(|field| exclusion::is_probed(field, container)).then(|| {
        quote! {
            #[allow(unused_imports)]
            use #private::NotTraversable as _;
        }
    });

    let is_conditional = is_conditional(container, &paths);
    let list_hidden = keeps_list.then(|| hidden::method(container, &paths));
    implement(
        container,
        &paths,
        &quote! {
            const MAY_CONTAIN_CYCLES: ::core::primitive::bool = <Self as #traversable>::#answer;
            const #answer: ::core::primitive::bool = {
                #assertions
                #may_contain_cycles
            };
            #is_conditional
            #list_hidden

            #[inline]
            fn traverse(&self, #visit: #private::PyVisit<'_>) -> #private::TraverseResult {
                #probe
                #traverse
                #private::Ok(())
            }

            #[inline]
            fn clear(&mut self) {
                #private::clear_now(self)
            }

            #[inline]
            fn clear_interior(&self) {
                #private::clear_interior_now(self)
            }

            #[inline]
            fn clear_into<'__pyo3_gc>(&mut self, #grave: &mut #graveyard<'__pyo3_gc>)
            where
                Self: '__pyo3_gc,
            {
                #probe
                #clear
            }

            #[inline]
            fn clear_interior_into<'__pyo3_gc>(&self, #grave: &mut #graveyard<'__pyo3_gc>)
            where
                Self: '__pyo3_gc,
            {
                #probe
                #clear_interior
            }
        },
        &exclusion::items(container, private),
    )
}

/// An impl that does nothing, for an item with mistakes.
fn fallback(container: &Container<'_>) -> TokenStream {
    let paths = Paths::new(container);
    let private = &paths.private;
    implement(
        container,
        &paths,
        &quote! {
            const MAY_CONTAIN_CYCLES: ::core::primitive::bool = false;

            fn traverse(&self, _: #private::PyVisit<'_>) -> #private::TraverseResult {
                #private::Ok(())
            }

            fn clear(&mut self) {}
        },
        &TokenStream::new(),
    )
}

/// The impl with `body` for its body, and `items` beside it.
fn implement(
    container: &Container<'_>,
    paths: &Paths,
    body: &TokenStream,
    items: &TokenStream,
) -> TokenStream {
    let ident = container.ident;
    let traversable = &paths.traversable;
    let (impl_generics, type_generics, where_clause) = container.generics.split_for_impl();
    let own = where_clause.into_iter().flat_map(|clause| &clause.predicates);
    let inferred = bounds::predicates(container, paths);
    let allowed = &container.allowed;
    let implementation = quote! {
        #[automatically_derived]
        // A map of stand-ins is never made.
        #[allow(deprecated, clippy::zero_sized_map_values)]
        #(#[allow(#allowed)])*
        unsafe impl #impl_generics #traversable for #ident #type_generics
        where
            #(#own,)*
            #(#inferred,)*
        {
            #body
        }
        #items
    };
    match &paths.import {
        Some(import) => quote!(const _: () = { #import #implementation };),
        None => implementation,
    }
}

/// Whether the impl depends on others that are there only in some builds: those that its bounds ask for.
fn is_conditional(container: &Container<'_>, paths: &Paths) -> Option<TokenStream> {
    let needs = bounds::needs(container, paths);
    let needs: Vec<_> = needs.iter().map(|Need { ty, of }| quote!(<#ty as #of>::IS_CONDITIONAL)).collect();
    (!needs.is_empty()).then(|| quote!(const IS_CONDITIONAL: ::core::primitive::bool = #(#needs)|*;))
}

/// Does `act` with each field that is `wanted`, borrowed as `borrow` says: `&` or `&mut`.
fn for_fields<'a>(
    container: &Container<'a>,
    borrow: &TokenStream,
    wanted: impl Fn(&Field<'a>) -> bool,
    act: impl Fn(&Field<'a>, TokenStream) -> TokenStream,
) -> TokenStream {
    match &container.shape {
        Shape::Struct(fields) => fields
            .iter()
            .filter(|field| wanted(field))
            .map(|field| {
                let member = &field.member;
                act(field, quote!(#borrow self.#member))
            })
            .collect(),
        // `match *self {}` would make what follows it unreachable, which rustc warns of.
        Shape::Enum(variants) if variants.is_empty() => TokenStream::new(),
        Shape::Enum(variants) => {
            let arms = variants.iter().map(|variant| {
                let picked: Vec<_> = variant.fields.iter().filter(|field| wanted(field)).collect();
                let members = picked.iter().map(|field| &field.member);
                let bindings: Vec<_> =
                    (0..picked.len()).map(|position| local(&format!("field_{position}"))).collect();
                let acts = picked.iter().zip(&bindings).map(|(field, binding)| act(field, quote!(#binding)));
                let ident = variant.ident;
                quote!(Self::#ident { #(#members: #bindings,)* .. } => { #(#acts)* })
            });
            quote!(match self { #(#arms)* })
        }
        Shape::Union(_) => TokenStream::new(),
    }
}

/// A call of one of the trait's methods for the field: at its type, or at the stand-in's, where what is wrong with it is shown.
fn call(
    field: &Field<'_>,
    container: &Container<'_>,
    paths: &Paths,
    name: &str,
    arguments: &TokenStream,
) -> TokenStream {
    let method = in_field(field, exclusion::is_probed(field, container), paths, name);
    let span = located(field.with().unwrap_or(field.ty).span());
    quote_spanned!(span=> #method(#arguments))
}
