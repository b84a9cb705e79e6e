//! What a type is made of, by way of the crate's types.

use syn::{GenericArgument, PathArguments, Type};

use crate::holds::{Holdings, Holds, written};
use crate::known::{LEAVES, OWNERS};
use crate::model::TypeDef;

/// The types of this crate that a field owns by value, also in the arguments of others.
pub(crate) fn own_types<'a>(ty: &Type, module: usize, holdings: &Holdings<'a>) -> Vec<&'a TypeDef> {
    let mut found = Vec::new();
    let mut pending = vec![ty];
    while let Some(ty) = pending.pop() {
        match ty {
            Type::Array(array) => pending.push(&array.elem),
            Type::Slice(slice) => pending.push(&slice.elem),
            Type::Paren(paren) => pending.push(&paren.elem),
            Type::Group(group) => pending.push(&group.elem),
            Type::Tuple(tuple) => pending.extend(&tuple.elems),
            Type::Path(path) => {
                let Some(last) = path.path.segments.last() else { continue };
                let own = holdings.definition(ty, module);
                found.extend(own);
                if own.is_none() && !Holdings::is_transparent(&last.ident) {
                    continue;
                }
                if let PathArguments::AngleBracketed(arguments) = &last.arguments {
                    pending.extend(arguments.args.iter().filter_map(|argument| match argument {
                        GenericArgument::Type(ty) => Some(ty),
                        _ => None,
                    }));
                }
            }
            _ => {}
        }
    }
    found
}

/// Whether `port` has hidden a field of a class, or of the crate's types in its fields, and nobody has decided yet.
pub(crate) fn is_undecided(class: &TypeDef, holdings: &Holdings<'_>) -> bool {
    let mut pending = vec![class];
    let mut seen: Vec<&TypeDef> = Vec::new();
    while let Some(ty) = pending.pop() {
        if seen.iter().any(|known| std::ptr::eq(*known, ty)) {
            continue;
        }
        seen.push(ty);
        for field in &ty.fields {
            if field.is_undecided {
                return true;
            }
            pending.extend(own_types(&field.ty, ty.module, holdings));
        }
    }
    false
}

/// The `Arc`s and `Rc`s in a field, also by way of the crate's types, whose contents own Python objects.
pub(crate) fn shared_in(ty: &Type, owner: &TypeDef, holdings: &Holdings<'_>) -> Vec<String> {
    let mut found = Vec::new();
    let mut seen = Vec::new();
    let mut pending = vec![(ty, owner)];
    while let Some((ty, owner)) = pending.pop() {
        let Type::Path(path) = ty else { continue };
        let Some(last) = path.path.segments.last() else { continue };
        // What belongs to another object, or to nobody here.
        if LEAVES.iter().chain(OWNERS).any(|name| last.ident == name) {
            continue;
        }
        if let PathArguments::AngleBracketed(arguments) = &last.arguments {
            for argument in &arguments.args {
                let GenericArgument::Type(inner) = argument else { continue };
                let owns = matches!(holdings.of(inner, owner.module, &owner.parameters), Holds::Yes(_));
                if (last.ident == "Arc" || last.ident == "Rc") && owns {
                    found.push(written(ty));
                }
                pending.push((inner, owner));
            }
        }
        if let Some(definition) = holdings.definition(ty, owner.module) {
            if definition.class.is_none() && !seen.iter().any(|known| std::ptr::eq(*known, definition)) {
                seen.push(definition);
                pending.extend(definition.fields.iter().map(|field| (&field.ty, definition)));
            }
        }
    }
    found
}
