//! The derive: model → tokens. Nothing here can fail; mistakes were found before.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{DeriveInput, Ident, Type};

use crate::bounds;
use crate::check::check;
use crate::errors::Errors;
use crate::exclusion;
use crate::hidden;
use crate::model::{Container, Field, Shape};
use crate::names::{Paths, in_trait, local, located};
use crate::recursion::{Contribution, contribution};

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
///     const MAY_CONTAIN_CYCLES: bool = <Vec<T> as PyGcTraversable>::MAY_CONTAIN_CYCLES;
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
    let may_contain_cycles = may_contain_cycles(container, &paths);
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
                    #private::bury_default(self, #grave);
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
            const MAY_CONTAIN_CYCLES: ::core::primitive::bool = #may_contain_cycles;
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
        #[allow(deprecated)]
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

/// The constant: the OR over the fields that are visited, each type asked once, after making sure that the fields
/// that are excluded have to be.
///
/// The types are asked through the probe. Where one has no impl, that is said of the field itself, and is enough. Where types
/// name each other, rustc finds a cycle of constants (E0391) and says the name of each, of which one is the remedy.
fn may_contain_cycles(container: &Container<'_>, paths: &Paths) -> TokenStream {
    let Paths { private, traverse_as, .. } = paths;
    let assertions = exclusion::statements(container, private);
    let mut terms: Vec<TokenStream> = Vec::new();
    let mut asked: Vec<Type> = Vec::new();
    let mut always = false;
    for field in container.fields().filter(|field| field.is_traversed()) {
        // At the field: in a cycle of constants, that is where the user has to look. `false |`, lest an error of the borrow
        // checker (`fn(&str)`) points at all terms of the OR up to its own.
        let span = located(field.ty.span());
        let ask = |ty: &Type| quote_spanned!(span=> (false | <#private::Probe<#ty>>::put__pyo3_gc_recursive__on_one_of_these_types));
        match contribution(field, container) {
            Contribution::Always => always = true,
            Contribution::StandIn(types) => {
                let (stand_in, ty) = *types;
                let span = located(stand_in.span());
                terms.push(
                    quote_spanned!(span=> (false | <#stand_in as #traverse_as<#ty>>::MAY_CONTAIN_CYCLES)),
                );
            }
            Contribution::Own(ty) if asked.contains(&ty) => {}
            Contribution::Own(ty) => {
                terms.push(ask(&ty));
                asked.push(ty);
            }
            Contribution::Replaced { ty, through } => {
                let ask = ask(&ty);
                terms.push(quote_spanned!(span=> (#ask #(| !<#private::Probe<#through>>::IS_TRANSPARENT)*)));
            }
        }
    }
    let always = (always || terms.is_empty()).then(|| quote!(#always));
    let terms = terms.into_iter().chain(always);
    quote! {{
        #[allow(unused_imports)]
        use #private::{NotTransparent as _, NotTraversable as _};
        #assertions
        // `|`, not `||`: without branches, it costs rustc less.
        #(#terms)|*
    }}
}

/// Whether the impl depends on others that are there only in some builds: those that its bounds ask for.
fn is_conditional(container: &Container<'_>, paths: &Paths) -> Option<TokenStream> {
    let Paths { traversable, .. } = paths;
    let asked = bounds::asked(container);
    (!asked.is_empty()).then(|| {
        quote! {
            const IS_CONDITIONAL: ::core::primitive::bool = #(<#asked as #traversable>::IS_CONDITIONAL)|*;
        }
    })
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
    let Paths { traversable, private, traverse_as, .. } = paths;
    let ty = field.ty;
    let span = located(field.with().map_or_else(|| ty.span(), Spanned::span));
    let method = Ident::new(name, span);
    if let Some(stand_in) = field.with() {
        quote_spanned!(span=> <#stand_in as #traverse_as<#ty>>::#method(#arguments))
    } else if exclusion::is_probed(field, container) {
        quote_spanned!(span=> <#private::Probe<#ty>>::#method(#arguments))
    } else {
        let method = in_trait(ty, traversable, name);
        quote_spanned!(span=> #method(#arguments))
    }
}
