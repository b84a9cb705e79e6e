//! `MAY_CONTAIN_CYCLES`: the OR over the fields that are visited, whose types may name the type that they stand in.
//!
//! What asks and is asked is a hidden constant with a telling name, of which `MAY_CONTAIN_CYCLES` is a copy: where types name
//! each other, rustc finds a cycle of constants (E0391) and says the name of each, and this name is the remedy.
//!
//! For the same reason, a constant can't ask itself. What is wanted is the least fixed point: the answer for a
//! field if the type itself owned nothing. So a field that names it isn't asked as a whole but taken apart, level by
//! level, down to the name, which counts as `false`:
//!
//! ```text
//! struct Node {
//!     next: Option<Box<Node>>,       // Composed<Option<_>, (Box<Node>,)> & Composed<Box<_>, (Node,)> & false
//!     named: Vec<(Node, Object)>,    // Composed<Vec<_>, ((Node, Object),)> & (false | Object's)
//!     peer: Py<Node>,                // not composed of its argument: true
//! }
//! ```
//!
//! What is what is for rustc to say, not for the names: a type counts as taken apart only if it implements the hidden trait
//! `Composed`, which tells that its constant is the OR of those of just these arguments and of the others that it owns.
//! Where there is no such impl (a `Cow` whose `Owned` is another type, somebody else's `Cell`, an alias) the answer is
//! `true`. That is always safe: it costs a look, never a reference.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{GenericArgument, GenericParam, Ident, PathArguments, Type, TypePath};

use crate::attr::mentions;
use crate::exclusion::is_probed;
use crate::leaves::is_pointer;
use crate::model::{Container, Field};
use crate::names::{ANSWER, Paths, in_field, located};

/// The value of the constant.
pub(crate) fn may_contain_cycles(container: &Container<'_>, paths: &Paths) -> TokenStream {
    let private = &paths.private;
    if container.attrs.recursive.is_some() {
        return quote!(true);
    }
    // Each type once.
    let mut asked: Vec<&Field<'_>> = Vec::new();
    let mut terms = Vec::new();
    for field in container.fields().filter(|field| field.is_traversed()) {
        if field.attrs.recursive.is_some() {
            terms.push(quote!(true));
        } else if !asked.iter().any(|known| known.ty == field.ty && known.with() == field.with()) {
            asked.push(field);
            terms.push(term(field, container, paths));
        }
    }
    if terms.is_empty() {
        terms.push(quote!(false));
    }
    // `|`, not `||`: without branches, it costs rustc less.
    let or = quote!(#(#terms)|*);
    if asked.iter().any(|field| names_container(field, container) || is_probed(field, container)) {
        quote! {{
            #[allow(unused_imports)]
            use #private::{NotComposed as _, NotTraversable as _};
            #or
        }}
    } else {
        or
    }
}

/// What a field adds to the OR. At the field: in a cycle of constants (E0391), that is where the user has to look. `false |`,
/// lest an error of the borrow checker (`fn(&str)`) points at all terms of the OR up to its own.
fn term(field: &Field<'_>, container: &Container<'_>, paths: &Paths) -> TokenStream {
    let span = located(field.ty.span());
    let term = if !names_container(field, container) {
        let constant = if field.with().is_some() { "MAY_CONTAIN_CYCLES" } else { ANSWER };
        in_field(field, is_probed(field, container), paths, constant)
    } else if field.with().is_some() {
        quote!(true)
    } else {
        part(field.ty, container, &paths.private)
    };
    quote_spanned!(span=> (false | #term))
}

/// Whether the field's type, or what stands in for it, names the container.
pub(crate) fn names_container(field: &Field<'_>, container: &Container<'_>) -> bool {
    names(field.ty, container) || field.with().is_some_and(|with| names(with, container))
}

fn names(ty: &Type, container: &Container<'_>) -> bool {
    mentions(ty.to_token_stream(), &|ident| ident == container.ident || ident == "Self")
}

/// What a type adds that stands in a field whose type names the container. Where there is no impl, the field's own type is
/// reported, and that is enough: it is asked through the probe.
fn part(ty: &Type, container: &Container<'_>, private: &TokenStream) -> TokenStream {
    let answer = Ident::new(ANSWER, located(ty.span()));
    let any_of = |parts: &[&Type]| {
        let parts = parts.iter().map(|ty| part(ty, container, private));
        quote!((false #(| #parts)*))
    };
    match ty {
        _ if !names(ty, container) => quote!(<#private::Probe<#ty>>::#answer),
        _ if is_pointer(ty) => quote!(false),
        Type::Paren(paren) => part(&paren.elem, container, private),
        Type::Group(group) => part(&group.elem, container, private),
        Type::Array(array) => part(&array.elem, container, private),
        Type::Slice(slice) => part(&slice.elem, container, private),
        Type::Tuple(tuple) => any_of(&tuple.elems.iter().collect::<Vec<_>>()),
        Type::Path(path) if is_container(path, container) => quote!(false),
        Type::Path(path) => {
            let (positions, parts) = arguments_that_name(path, container);
            let or = any_of(&parts);
            let composed = quote!(<#private::Parts<#ty, (#(*const #parts,)*), #positions>>);
            quote!((#composed::#answer | #composed::OWNS_THEM & #or))
        }
        _ => quote!(true),
    }
}

/// The arguments of the last segment that name the container, and at which positions they stand, a bit each.
fn arguments_that_name<'a>(path: &'a TypePath, container: &Container<'_>) -> (usize, Vec<&'a Type>) {
    let (mut positions, mut parts) = (0, Vec::new());
    if let Some(PathArguments::AngleBracketed(arguments)) =
        path.path.segments.last().map(|segment| &segment.arguments)
    {
        let arguments =
            arguments.args.iter().filter(|argument| !matches!(argument, GenericArgument::Lifetime(_)));
        for (position, argument) in (0..usize::BITS).zip(arguments) {
            if let GenericArgument::Type(ty) = argument {
                if names(ty, container) {
                    positions |= 1 << position;
                    parts.push(ty);
                }
            }
        }
    }
    (positions, parts)
}

/// Whether the path is `Self`, or the container's own name with its own parameters for arguments: nothing else can have that
/// name where the container is declared.
///
/// `Node<Option<T>>` inside `Node<T>` is another type, and so may be `ast::Node`.
pub(crate) fn is_container(path: &TypePath, container: &Container<'_>) -> bool {
    let Some(ident) = single_ident(path) else {
        return false;
    };
    if ident == "Self" {
        return true;
    }
    let arguments = path.path.segments.first().map(|segment| &segment.arguments);
    ident == container.ident
        && own_params(container).eq(arguments.into_iter().flat_map(type_and_const_arguments))
}

fn single_ident(path: &TypePath) -> Option<&Ident> {
    let simple = path.qself.is_none() && path.path.leading_colon.is_none() && path.path.segments.len() == 1;
    path.path.segments.first().filter(|_| simple).map(|segment| &segment.ident)
}

fn own_params(container: &Container<'_>) -> impl Iterator<Item = String> {
    container.generics.params.iter().filter_map(|param| match param {
        GenericParam::Type(param) => Some(param.ident.to_string()),
        GenericParam::Const(param) => Some(param.ident.to_string()),
        GenericParam::Lifetime(_) => None,
    })
}

fn type_and_const_arguments(arguments: &PathArguments) -> Vec<String> {
    match arguments {
        PathArguments::AngleBracketed(arguments) => arguments
            .args
            .iter()
            .filter(|argument| !matches!(argument, GenericArgument::Lifetime(_)))
            .map(|argument| argument.to_token_stream().to_string())
            .collect(),
        _ => Vec::new(),
    }
}
