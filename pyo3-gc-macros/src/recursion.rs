//! What a field contributes to `MAY_CONTAIN_CYCLES` when its type may name the type that it stands in.
//!
//! The constant is an OR over fields, and rustc can't evaluate one that asks itself (E0391). What is wanted is its
//! least fixed point: the answer for a field if the type itself were a leaf. So the type's own name is replaced by a
//! leaf, `()`:
//!
//! ```text
//! struct Node {
//!     next: Option<Box<Node>>,          // Option<Box<()>>         → false
//!     named: Vec<(Node, Py<PyAny>)>,    // Vec<((), Py<PyAny>)>    → true
//!     peer: Py<Node>,                   // unknown what it does with its argument → true
//! }
//! ```
//!
//! Names don't tell what a type is: a user's own `Cell` may own more than its argument, and so does std's `Cow`, which asks
//! `ToOwned`. So each type whose argument was replaced is asked whether it is one of those that own what their arguments own
//! (`Transparent`); where it isn't, the field adds `true`.
//!
//! Leaving such a field out instead, as if it were `false`, would be wrong for the last two: a container of `Node`s
//! would skip them, and their references would leak. `true` is always safe: it costs a look, never a reference.

use quote::ToTokens;
use syn::{GenericArgument, GenericParam, Ident, PathArguments, Type, TypePath};

use crate::attr::mentions;
use crate::model::{Container, Field};

/// Types that own what their arguments own and put no bound on them, so that an argument may be replaced.
const TRANSPARENT: &[&str] = &[
    "Option",
    "Result",
    "Box",
    "Vec",
    "VecDeque",
    "LinkedList",
    "BinaryHeap",
    "BTreeMap",
    "BTreeSet",
    "HashMap",
    "HashSet",
    "IndexMap",
    "IndexSet",
    "SmallVec",
    "ArrayVec",
    "Pin",
    "Rc",
    "Arc",
    "Cell",
    "RefCell",
    "OnceCell",
    "OnceLock",
    "PyOnceLock",
    "LazyCell",
    "LazyLock",
    "Mutex",
    "RwLock",
    "Reverse",
    "Poll",
    "ControlFlow",
];

/// Types that own nothing, whatever their arguments are.
pub(crate) const LEAVES: &[&str] = &["PhantomData", "Weak", "NonNull", "AtomicPtr", "PyGcOpaque"];

/// What the field adds to the OR.
pub(crate) enum Contribution {
    /// `true`: no type can be asked.
    Always,
    /// The answer of the stand-in for the field's type.
    StandIn(Box<(Type, Type)>),
    /// The constant of the field's own type.
    Own(Type),
    /// The constant of a type in which the container's name is replaced, if all those in `through` may be looked through.
    Replaced { ty: Type, through: Vec<Type> },
}

pub(crate) fn contribution(field: &Field<'_>, container: &Container<'_>) -> Contribution {
    if field.attrs.recursive.is_some() || container.attrs.recursive.is_some() {
        return Contribution::Always;
    }
    if let Some(with) = field.with() {
        return Contribution::StandIn(Box::new((with.clone(), field.ty.clone())));
    }
    let mut through = Vec::new();
    match without_container(field.ty, container, &mut through) {
        None => Contribution::Always,
        Some(ty) if ty == *field.ty => Contribution::Own(ty),
        Some(ty) => Contribution::Replaced { ty, through },
    }
}

/// Whether the path is `Self`, or the container's own name with its own parameters for arguments.
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

/// The type with `()` in place of the container; `None` where it can't be replaced. `through` gets the types whose arguments
/// that changes.
fn without_container(ty: &Type, container: &Container<'_>, through: &mut Vec<Type>) -> Option<Type> {
    if !mentions(ty.to_token_stream(), &|ident| ident == container.ident || ident == "Self") {
        return Some(ty.clone());
    }
    match ty {
        Type::Paren(paren) => without_container(&paren.elem, container, through),
        Type::Group(group) => without_container(&group.elem, container, through),
        Type::Tuple(tuple) => {
            let mut tuple = tuple.clone();
            for elem in &mut tuple.elems {
                *elem = without_container(elem, container, through)?;
            }
            Some(Type::Tuple(tuple))
        }
        Type::Array(array) => {
            let mut array = array.clone();
            *array.elem = without_container(&array.elem, container, through)?;
            Some(Type::Array(array))
        }
        Type::Slice(slice) => {
            let mut slice = slice.clone();
            *slice.elem = without_container(&slice.elem, container, through)?;
            Some(Type::Slice(slice))
        }
        // These own nothing, whatever they name.
        Type::Reference(_) | Type::Ptr(_) | Type::FnPtr(_) => Some(leaf()),
        Type::Path(path) if is_container(path, container) => Some(leaf()),
        Type::Path(path) => without_container_in_path(path, container, through),
        _ => None,
    }
}

fn without_container_in_path(
    path: &TypePath,
    container: &Container<'_>,
    through: &mut Vec<Type>,
) -> Option<Type> {
    let mut path = path.clone();
    let last = path.path.segments.last_mut().filter(|_| path.qself.is_none())?;
    if !TRANSPARENT.iter().chain(LEAVES).any(|name| last.ident == name) {
        return None;
    }
    if let PathArguments::AngleBracketed(arguments) = &mut last.arguments {
        for argument in &mut arguments.args {
            if let GenericArgument::Type(ty) = argument {
                *ty = without_container(ty, container, through)?;
            }
        }
    }
    let replaced = Type::Path(path);
    through.push(replaced.clone());
    Some(replaced)
}

fn leaf() -> Type {
    syn::parse_quote!(())
}
