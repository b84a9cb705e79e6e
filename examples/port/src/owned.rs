//! What a type is made of, by way of the crate's types.

use syn::{GenericArgument, PathArguments, Type};

use crate::holds::Holdings;
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
