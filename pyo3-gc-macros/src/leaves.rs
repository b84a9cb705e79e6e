//! Which types own nothing by their syntax. A name may be another type's: what follows from one is never that an object goes
//! unseen.

use syn::{Ident, Type};

/// Types that own nothing, whatever their arguments are: these ask for no bounds.
const LEAVES: &[&str] = &["PhantomData", "Weak", "NonNull", "AtomicPtr", "PyGcOpaque"];

pub(crate) fn is_leaf(ident: &Ident) -> bool {
    LEAVES.iter().any(|name| ident == name)
}

/// Whether it is a reference or a pointer, of which none owns what it points to.
pub(crate) fn is_pointer(ty: &Type) -> bool {
    matches!(ty, Type::Reference(_) | Type::Ptr(_)) || is_function_pointer(ty)
}

/// Function pointers own nothing, and not all of them can be asked: none for `fn(&str)`, since an impl for
/// `for<'a> fn(&'a T)` would overlap with that for `fn(T)` (rust-lang/rust#56105).
pub(crate) fn is_function_pointer(ty: &Type) -> bool {
    match ty {
        Type::FnPtr(_) => true,
        Type::Paren(paren) => is_function_pointer(&paren.elem),
        Type::Group(group) => is_function_pointer(&group.elem),
        _ => false,
    }
}
