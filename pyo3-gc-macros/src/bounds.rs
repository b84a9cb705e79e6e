//! Which bounds the impl needs: those on the type parameters that traversed fields mention.
//!
//! Bounds stand on parameters (and on their associated types), never on whole field types: a bound on the field
//! type of a recursive type would overflow (E0275).

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{GenericArgument, Ident, PathArguments, Type, TypeParamBound, TypePath, WherePredicate};

use crate::attr::mentions;
use crate::model::Container;
use crate::names::{Paths, TRAIT};
use crate::recursion;

/// PyO3's pointer. It asks of its argument only what its own impl asks, so that the bound stands on the pointer.
const PY: &str = "Py";

/// The where-predicates that the impl adds.
pub(crate) fn predicates(container: &Container<'_>, paths: &Paths) -> Vec<TokenStream> {
    if let Some(bound) = &container.attrs.bound {
        return bound.value.iter().map(ToTokens::to_token_stream).collect();
    }
    let Paths { traversable, traverse_as, .. } = paths;
    let mut predicates: Vec<_> =
        inferred(container).iter().map(|bounded| quote!(#bounded: #traversable)).collect();
    for field in container.fields() {
        let ty = field.ty;
        if let Some(stand_in) = field.with().filter(|with| names_params(container, &[ty, with])) {
            predicates.push(quote!(#stand_in: #traverse_as<#ty>));
        }
        if field.is_replaced() && names_params(container, &[ty]) {
            predicates.push(quote!(#ty: ::core::default::Default));
        }
    }
    if container.is_replaced() && container.generics.type_params().next().is_some() {
        predicates.push(quote!(Self: ::core::default::Default));
    }
    predicates
}

fn names_params(container: &Container<'_>, types: &[&Type]) -> bool {
    let is_param = |ident: &Ident| container.generics.type_params().any(|param| param.ident == *ident);
    types.iter().any(|ty| mentions(ty.to_token_stream(), &is_param))
}

/// The types that the bounds ask to implement the trait.
pub(crate) fn asked(container: &Container<'_>) -> Vec<Type> {
    let Some(bound) = &container.attrs.bound else {
        return inferred(container);
    };
    let asks = |predicate: &WherePredicate| match predicate {
        WherePredicate::Type(predicate) if predicate.lifetimes.is_none() => {
            let is_ours = predicate.bounds.iter().any(is_trait);
            is_ours.then(|| predicate.bounded_ty.clone())
        }
        _ => None,
    };
    bound.value.iter().filter_map(asks).collect()
}

fn is_trait(bound: &TypeParamBound) -> bool {
    matches!(bound, TypeParamBound::Trait(bound) if bound.path.segments.last().is_some_and(|last| last.ident == TRAIT))
}

/// The types that traversed fields need to implement the trait: parameters, and what is made of them.
fn inferred(container: &Container<'_>) -> Vec<Type> {
    let params: Vec<_> = container.generics.type_params().map(|param| &param.ident).collect();
    let mut search = Search { container, params, found: Vec::new() };
    if !search.params.is_empty() {
        for field in container.fields() {
            if field.is_traversed() && field.with().is_none() {
                search.visit(field.ty);
            }
        }
    }
    search.found
}

struct Search<'a> {
    container: &'a Container<'a>,
    params: Vec<&'a Ident>,
    /// The types to bound, each once, in the order of appearance.
    found: Vec<Type>,
}

impl Search<'_> {
    fn visit(&mut self, ty: &Type) {
        match ty {
            Type::Array(array) => self.visit(&array.elem),
            Type::Slice(slice) => self.visit(&slice.elem),
            Type::Paren(paren) => self.visit(&paren.elem),
            Type::Group(group) => self.visit(&group.elem),
            Type::Tuple(tuple) => tuple.elems.iter().for_each(|elem| self.visit(elem)),
            Type::Path(path) => self.visit_path(path, ty),
            // References, raw and function pointers own nothing; trait objects answer for themselves.
            _ => {}
        }
    }

    fn visit_path(&mut self, path: &TypePath, ty: &Type) {
        if let Some(qself) = &path.qself {
            if self.mentions_param(&qself.ty) {
                self.bound(ty);
            }
            return;
        }
        let segments = &path.path.segments;
        let (Some(first), Some(last)) = (segments.first(), segments.last()) else {
            return;
        };
        if self.params.contains(&&first.ident) {
            self.bound(ty);
        } else if last.ident == PY {
            if self.mentions_param(ty) {
                self.bound(ty);
            }
        } else if !recursion::is_container(path, self.container)
            && !recursion::LEAVES.iter().any(|name| last.ident == name)
        {
            self.visit_arguments(&last.arguments);
        }
    }

    fn visit_arguments(&mut self, arguments: &PathArguments) {
        if let PathArguments::AngleBracketed(arguments) = arguments {
            for argument in &arguments.args {
                match argument {
                    GenericArgument::Type(ty) => self.visit(ty),
                    GenericArgument::AssocType(assoc) => self.visit(&assoc.ty),
                    _ => {}
                }
            }
        }
    }

    /// Whether the type names a parameter, or the item, which has them all.
    fn mentions_param(&self, ty: &Type) -> bool {
        mentions(ty.to_token_stream(), &|ident| self.params.contains(&ident) || ident == "Self")
    }

    fn bound(&mut self, ty: &Type) {
        if !self.found.contains(ty) {
            self.found.push(ty.clone());
        }
    }
}
