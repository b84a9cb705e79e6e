//! The derive: model → tokens. Nothing here can fail; mistakes were found before.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{DeriveInput, Ident, Path, Type};

use crate::bounds;
use crate::check::check;
use crate::errors::Errors;
use crate::exclusion;
use crate::hidden;
use crate::model::{Container, Field, Shape};
use crate::names::{Paths, in_trait, local, located};
use crate::recursion::contribution;

/// `#[derive(PyGcTraversable)]`. On a mistake: the errors, and an impl all the same, so that code that uses the
/// type doesn't add errors of its own. `lists_hidden` says whether somebody may ask for the hidden fields.
pub(crate) fn derive(input: &DeriveInput, lists_hidden: bool) -> TokenStream {
    let errors = Errors::new();
    let container = Container::read(&errors, input);
    check(&errors, &container, &input.attrs);
    match errors.finish() {
        Ok(()) => expand(&container, lists_hidden),
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
/// impl that keeps the contract (or by a `with` module, whose author vouches for it). 2: borrowing and matching read.
/// 3: an error is returned as it is (not by `?`, which costs rustc more). 5: the OR over all fields that are visited.
/// 6: fields are cleared in place, by their own impls.
///
/// Every call names the field's type, at the field's type: where that doesn't implement the trait, rustc finds the
/// same mistake with the same words at the same place in every method, and reports it once.
fn expand(container: &Container<'_>, lists_hidden: bool) -> TokenStream {
    let paths = Paths::new(container);
    let Paths { traversable, private, graveyard, .. } = &paths;
    let may_contain_cycles = may_contain_cycles(container, &paths);
    let shared = quote!(&);
    let exclusive = quote!(&mut);

    let (visit, error) = (local("visit"), local("error"));
    let traverse = for_fields(container, &shared, Field::is_traversed, |field, borrowed| {
        let arguments = quote!(#borrowed, #private::again(&#visit));
        let call = if let Some(module) = field.with() {
            let (span, path) = function(module, "traverse");
            // The type is written out so that a function of another one is one error, not two.
            quote_spanned!(span=> { let #error: #private::TraverseResult = #path(#arguments); #error })
        } else {
            method(field.ty, traversable, "traverse", &arguments)
        };
        quote! {
            if let #private::Err(#error) = #call {
                return #private::Err(#error);
            }
        }
    });

    let grave = local("graveyard");
    let clear = for_fields(container, &exclusive, Field::is_cleared, |field, borrowed| {
        let call = if let Some(module) = field.with() {
            let (span, path) = function(module, "clear");
            quote_spanned!(span=> #path(#borrowed))
        } else {
            method(field.ty, traversable, "clear_into", &quote!(#borrowed, #grave))
        };
        quote!(#call;)
    });
    let has_interior = |field: &Field<'_>| field.is_cleared() && field.with().is_none();
    let clear_interior = for_fields(container, &shared, has_interior, |field, borrowed| {
        let call = method(field.ty, traversable, "clear_interior_into", &quote!(#borrowed, #grave));
        quote!(#call;)
    });

    let is_conditional = is_conditional(container, &paths);
    let list_hidden = lists_hidden.then(|| hidden::method(container, &paths));
    implement(
        container,
        &paths,
        &quote! {
            const MAY_CONTAIN_CYCLES: ::core::primitive::bool = #may_contain_cycles;
            #is_conditional
            #list_hidden

            #[inline]
            fn traverse(&self, #visit: #private::PyVisit<'_>) -> #private::TraverseResult {
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
                #clear
            }

            #[inline]
            fn clear_interior_into<'__pyo3_gc>(&self, #grave: &mut #graveyard<'__pyo3_gc>)
            where
                Self: '__pyo3_gc,
            {
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
    let inferred = bounds::predicates(container, traversable);
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
fn may_contain_cycles(container: &Container<'_>, paths: &Paths) -> TokenStream {
    let Paths { traversable, private, .. } = paths;
    let assertions = exclusion::statements(container, private);
    // Each type once, and whether it stands for one that names the container.
    let mut asked: Vec<(Type, bool)> = Vec::new();
    let mut always = false;
    for field in container.fields().filter(|field| field.is_traversed()) {
        match contribution(field, container) {
            None => always = true,
            Some(ty) => {
                let stands_in = ty != *field.ty;
                if !asked.contains(&(ty.clone(), stands_in)) {
                    asked.push((ty, stands_in));
                }
            }
        }
    }
    let always = (always || asked.is_empty()).then(|| quote!(#always));
    // At the field: in a cycle of constants (E0391), that is where the user has to look. One that stands in is asked
    // through the probe: where there is no impl, the field's own type is reported, and that is enough. `false |`, lest an
    // error of the borrow checker (`fn(&str)`) points at all terms of the OR up to its own.
    let terms = asked.iter().map(|(ty, stands_in)| {
        let span = located(ty.span());
        if *stands_in {
            quote_spanned!(span=> (false | <#private::Probe<#ty>>::MAY_CONTAIN_CYCLES))
        } else {
            let constant = in_trait(ty, traversable, "MAY_CONTAIN_CYCLES");
            quote_spanned!(span=> (false | #constant))
        }
    });
    let terms = terms.chain(always);
    // `|`, not `||`: without branches, it costs rustc less.
    let or = quote!(#(#terms)|*);
    let probe = asked.iter().any(|(_, stands_in)| *stands_in).then(|| {
        quote! {
            #[allow(unused_imports)]
            use #private::NotTraversable as _;
        }
    });
    if assertions.is_empty() && probe.is_none() { or } else { quote!({ #assertions #probe #or }) }
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

/// A call of a method of the trait, at the field's type.
fn method(ty: &Type, traversable: &TokenStream, name: &str, arguments: &TokenStream) -> TokenStream {
    let method = in_trait(ty, traversable, name);
    quote_spanned!(located(ty.span())=> #method(#arguments))
}

/// The path of a function of a `with` module. What is wrong with it is shown where the module is named.
fn function(module: &Path, name: &str) -> (Span, TokenStream) {
    let span = located(module.span());
    let name = Ident::new(name, span);
    let path = quote_spanned!(span=> #module::#name).into_iter().map(|mut token| {
        token.set_span(span);
        token
    });
    (span, path.collect())
}
