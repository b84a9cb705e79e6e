//! What is said of types that are known by their names: those that can't be visited, and what to write in their place.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{GenericArgument, PathArguments, Type};

use crate::leaves::{is_leaf, is_pointer};

/// Why a field of such a type can't take part if it doesn't implement the trait, and what to do. Only asked where that is so:
/// a type of the user's may have such a name.
pub(crate) fn remedy(ty: &Type) -> Option<&'static str> {
    let names = |wanted: &[&str]| names_any(ty.to_token_stream(), wanted);
    // What holds others comes before what it holds, or what a closure takes and returns.
    if names(&["Sender", "UnboundedSender", "SyncSender", "Receiver", "UnboundedReceiver"]) {
        Some(
            "nothing can look into a channel, and what is sent through it may own Python objects: put those into a \
             `pyo3_gc::PyGcPool` and send the handles, or say why no cycle can run through it: \
             `#[pyo3_gc(hidden = \"reason\")]`",
        )
    } else if names(&["Fn", "FnMut", "FnOnce"]) {
        Some(
            "a closure hides what it captures: keep Python objects in a `pyo3_gc::PyGcPool` and capture the handles, or \
             use a trait of yours with `pyo3_gc::dyn_traversable!`; then, or if it captures none: \
             `#[pyo3_gc(hidden = \"reason\")]`",
        )
    } else if names(&["PyErr", "PyResult"]) {
        Some(
            "a `PyErr` hides its exception, and with it the traceback: use `pyo3_gc::PyGcErr`, or `Result<T, PyGcErr>`",
        )
    } else if names(&["Bound", "Borrowed", "Python"]) && !names(&["ops"]) {
        Some("it belongs to a call, and doesn't outlive it: use `Py<T>`")
    } else if names(&["DashMap", "DashSet", "ArcSwap", "ArcSwapOption", "JoinHandle", "JoinSet"]) {
        Some(
            "nothing can look into it without blocking or guessing: keep Python objects in a `pyo3_gc::PyGcPool` and the \
             handles in here, then say so: `#[pyo3_gc(hidden = \"holds handles of the pool\")]`",
        )
    } else if names(&["ManuallyDrop", "MaybeUninit"]) {
        Some(
            "whether it still owns anything can't be known: use an `Option`, or say what frees it: \
             `#[pyo3_gc(hidden = \"reason\")]`",
        )
    } else {
        None
    }
}

/// The name in a type by which it may own a Python object: a field of such a type isn't excluded without a word.
pub(crate) fn names_owner(ty: &Type) -> Option<&'static str> {
    match ty {
        _ if is_pointer(ty) => None,
        Type::Array(array) => names_owner(&array.elem),
        Type::Slice(slice) => names_owner(&slice.elem),
        Type::Paren(paren) => names_owner(&paren.elem),
        Type::Group(group) => names_owner(&group.elem),
        Type::Tuple(tuple) => tuple.elems.iter().find_map(names_owner),
        Type::Path(path) => {
            let last = path.path.segments.last()?;
            let is_std = path.path.segments.iter().any(|segment| segment.ident == "ops");
            let own = OWNERS.iter().find(|name| last.ident == *name).filter(|_| !is_std);
            let arguments = match &last.arguments {
                PathArguments::AngleBracketed(arguments) if !is_leaf(&last.ident) => {
                    arguments.args.iter().find_map(|argument| match argument {
                        GenericArgument::Type(ty) => names_owner(ty),
                        _ => None,
                    })
                }
                _ => None,
            };
            own.copied().or(arguments)
        }
        other => OWNERS.iter().find(|name| names_any(other.to_token_stream(), &[name])).copied(),
    }
}

const OWNERS: [&str; 4] = ["Py", "PyErr", "PyResult", "Bound"];

fn names_any(tokens: TokenStream, names: &[&str]) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => names.iter().any(|name| ident == name),
        TokenTree::Group(group) => names_any(group.stream(), names),
        _ => false,
    })
}
