//! Which bounds the impl needs: those on the type parameters that traversed fields mention.
//!
//! Bounds stand on parameters (and on their associated types), never on whole field types: a bound on the field
//! type of a recursive type would overflow (E0275).

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{GenericArgument, Ident, PathArguments, Type, TypeParamBound, TypePath, WherePredicate};

use crate::attr::mentions;
use crate::leaves::is_leaf;
use crate::model::{Container, Field};
use crate::names::{Paths, TRAIT, implemented};
use crate::recursion;

/// PyO3's pointer. It asks of its argument only what its own impl asks, so that the bound stands on the pointer.
const PY: &str = "Py";

/// That `ty` implements `of`, which is the trait or one of those for stand-ins.
pub(crate) struct Need {
    pub(crate) ty: TokenStream,
    pub(crate) of: TokenStream,
}

/// The where-predicates that the impl adds.
pub(crate) fn predicates(container: &Container<'_>, paths: &Paths) -> Vec<TokenStream> {
    if let Some(bound) = &container.attrs.bound {
        return bound.value.iter().map(ToTokens::to_token_stream).collect();
    }
    let needs = inferred(container, paths);
    needs.iter().map(|Need { ty, of }| quote!(#ty: #of)).chain(defaults(container)).collect()
}

/// That there is a default where clearing puts one in place of a value, if that depends on parameters.
fn defaults(container: &Container<'_>) -> Vec<TokenStream> {
    let names_params = |ty: &Type| {
        mentions(ty.to_token_stream(), &|ident| {
            container.generics.type_params().any(|param| param.ident == *ident)
        })
    };
    let has_params = container.generics.type_params().next().is_some();
    let whole = (container.is_replaced() && has_params).then(|| quote!(Self: ::core::default::Default));
    let fields = container.fields().filter(|field| {
        field.is_replaced() && names_params(field.ty) && !recursion::names_container(field, container)
    });
    let fields = fields.map(|field| {
        let ty = field.ty;
        quote!(#ty: ::core::default::Default)
    });
    whole.into_iter().chain(fields).collect()
}

/// What the where-predicates ask for, as far as it is one of our traits.
pub(crate) fn needs(container: &Container<'_>, paths: &Paths) -> Vec<Need> {
    let Some(bound) = &container.attrs.bound else {
        return inferred(container, paths);
    };
    let needs = |predicate: &WherePredicate| match predicate {
        WherePredicate::Type(predicate) if predicate.lifetimes.is_none() => {
            let is_ours = predicate.bounds.iter().any(is_trait);
            let ty = predicate.bounded_ty.to_token_stream();
            is_ours.then(|| Need { ty, of: paths.traversable.clone() })
        }
        _ => None,
    };
    bound.value.iter().filter_map(needs).collect()
}

fn is_trait(bound: &TypeParamBound) -> bool {
    matches!(bound, TypeParamBound::Trait(bound) if bound.path.segments.last().is_some_and(|last| last.ident == TRAIT))
}

/// What traversed fields need: of parameters, of what is made of them, and of what stands in for types that are.
fn inferred(container: &Container<'_>, paths: &Paths) -> Vec<Need> {
    let params: Vec<_> = container.generics.type_params().map(|param| &param.ident).collect();
    let mut search = Search { container, params, found: Vec::new() };
    if search.params.is_empty() {
        return Vec::new();
    }
    let mut stand_ins: Vec<&Field<'_>> = Vec::new();
    for field in container.fields().filter(|field| field.is_traversed()) {
        match field.with() {
            // A bound on a type that names the container would overflow.
            Some(with) if !recursion::names_container(field, container) => {
                let is_new =
                    stand_ins.iter().all(|known| known.ty != field.ty || known.with() != field.with());
                if is_new && (search.mentions_param(with) || search.mentions_param(field.ty)) {
                    stand_ins.push(field);
                }
            }
            _ => search.visit(field.ty),
        }
    }
    let types =
        search.found.iter().map(|ty| Need { ty: ty.to_token_stream(), of: paths.traversable.clone() });
    let stand_ins = stand_ins
        .into_iter()
        .map(|field| Need { ty: field.with().to_token_stream(), of: implemented(field, paths) });
    types.chain(stand_ins).collect()
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
        } else if !recursion::is_container(path, self.container) && !is_leaf(&last.ident) {
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
