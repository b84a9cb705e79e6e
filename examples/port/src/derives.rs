//! The derive on a crate's own types, and the mark where they name each other.

use std::collections::BTreeSet;

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::Type;

use crate::analysis::View;
use crate::decisions::{Decisions, Topic};
use crate::edits::Edits;
use crate::holds::{Holdings, Holds, written};
use crate::imports::{GC, indent_of};
use crate::model::{DERIVE, Field, MARK, TypeDef};
use crate::owned::own_types;
use crate::sources::Place;

/// Puts the derive on a type, and on those of the crate that its fields need it for. Returns how many.
pub(crate) fn derive(
    view: &View<'_>,
    start: Vec<&TypeDef>,
    edits: &mut Edits,
    decisions: &mut Decisions,
) -> usize {
    let holdings = Holdings::new(&view.model, &view.names);
    let mut pending = start;
    let mut seen: Vec<&TypeDef> = Vec::new();
    let mut derived = 0;
    while let Some(ty) = pending.pop() {
        if seen.iter().any(|known| std::ptr::eq(*known, ty)) {
            continue;
        }
        seen.push(ty);
        if ty.class.is_none() && !ty.derives {
            put_derive(view, ty, edits);
            hide_pointers(view, ty, &holdings, edits, decisions);
            derived += 1;
        }
        for field in ty.fields.iter().filter(|field| !field.is_excluded) {
            pending.extend(own_types(&field.ty, ty.module, &holdings));
        }
    }
    derived
}

fn put_derive(view: &View<'_>, ty: &TypeDef, edits: &mut Edits) {
    let place = ty.head_at;
    let indent = indent_of(view.sources, place);
    let text = format!("#[derive({GC}::{DERIVE})]\n{indent}");
    edits.insert(view.sources, place.file, place.start, text);
}

/// What a type of the crate may own through pointers, nothing shows.
fn hide_pointers(
    view: &View<'_>,
    ty: &TypeDef,
    holdings: &Holdings<'_>,
    edits: &mut Edits,
    decisions: &mut Decisions,
) {
    let has_pointer = |ty: &TypeDef| ty.fields.iter().any(|field| is_pointer(&field.ty));
    for field in ty.fields.iter().filter(|field| !field.is_excluded) {
        let names_owner =
            |tokens: TokenStream| {
                idents(tokens).iter().any(|name| {
                    ty.parameters.contains(name)
                        || ["Py", "PyAny", "PyObject"].contains(&name.as_str())
                        || view.model.types.iter().any(|other| {
                            other.name == *name && matches!(holdings.of_type(other), Holds::Yes(_))
                        })
                })
            };
        // `PhantomData<T>` beside pointers marks what is owned, `PhantomData<NonNull<T>>` what is pointed to.
        let is_marker = written(&field.ty).contains("PhantomData");
        let inner_pointer = || {
            let others = ty.fields.iter().flat_map(|other| own_types(&other.ty, ty.module, holdings));
            has_pointer(ty) || others.into_iter().any(has_pointer)
        };
        let points = is_pointer(&field.ty);
        let may_own = if is_marker { !points && inner_pointer() } else { points };
        let may_own = may_own && names_owner(field.ty.to_token_stream());
        if may_own {
            let why = format!("`{}`: a raw pointer that may own Python objects", written(&field.ty));
            hide(view, ty, field, &why, edits);
            decisions.add(Topic::Pointer, view, ty, Some(field), &why);
        }
    }
}

/// Also a list of pointers.
fn is_pointer(ty: &Type) -> bool {
    !matches!(ty, Type::BareFn(_) | Type::Reference(_)) && names_pointer(ty.to_token_stream())
}

fn names_pointer(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|tree| match tree {
        TokenTree::Ident(ident) => ident == "NonNull" || ident == "AtomicPtr",
        TokenTree::Punct(punct) => punct.as_char() == '*',
        TokenTree::Group(group) => names_pointer(group.stream()),
        TokenTree::Literal(_) => false,
    })
}

fn idents(tokens: TokenStream) -> Vec<String> {
    tokens
        .into_iter()
        .flat_map(|tree| match tree {
            TokenTree::Ident(ident) => vec![ident.to_string()],
            TokenTree::Group(group) => idents(group.stream()),
            _ => Vec::new(),
        })
        .collect()
}

/// `#[pyo3_gc(hidden = "port: …")]` on a field.
pub(crate) fn hide(view: &View<'_>, owner: &TypeDef, field: &Field, why: &str, edits: &mut Edits) {
    let reason = format!("{MARK}{}", why.replace('`', "").replace('\\', "\\\\").replace('"', "\\\""));
    put_on_field(view, owner, field, &format!("#[pyo3_gc(hidden = \"{reason}\")]"), edits);
}

/// A comment on a line of its own in front of something, once.
pub(crate) fn note(view: &View<'_>, place: Place, why: &str, edits: &mut Edits) {
    let text = &view.sources.files[place.file].text;
    let start = text[..place.start].rfind('\n').map_or(0, |at| at + 1);
    let is_noted =
        text[..start].trim_end().rsplit('\n').next().is_some_and(|line| line.contains("// port: "));
    if text[start..place.start].trim().is_empty() && !is_noted {
        let indent = indent_of(view.sources, place);
        edits.insert_once(view.sources, place, &format!("// {MARK}{why}\n{indent}"));
    }
}

pub(crate) fn put_on_field(
    view: &View<'_>,
    owner: &TypeDef,
    field: &Field,
    attribute: &str,
    edits: &mut Edits,
) {
    let place = field.at;
    let text = &view.sources.files[place.file].text;
    let line = &text[text[..place.start].rfind('\n').map_or(0, |at| at + 1)..place.start];
    // On a line of its own, if the field has one.
    let separator = if line.trim().is_empty() && owner.at.file == place.file {
        format!("\n{}", indent_of(view.sources, place))
    } else {
        " ".to_owned()
    };
    edits.insert(view.sources, place.file, place.start, format!("{attribute}{separator}"));
}

/// Marks types so that no loop of types that name each other is left. Returns how many marks.
pub(crate) fn mark_recursive(view: &View<'_>, edits: &mut Edits) -> usize {
    let holdings = Holdings::new(&view.model, &view.names);
    let types = &view.model.types;
    let index_of = |wanted: &TypeDef| types.iter().position(|ty| std::ptr::eq(ty, wanted));
    // For each type its fields, with the types that they lead to: not itself, which the derive sees to.
    let is_marked = |ty: &TypeDef| view.sources.text(ty.at).contains("pyo3_gc(recursive)");
    let mut edges: Vec<Vec<(usize, Vec<usize>)>> = Vec::new();
    for (index, ty) in types.iter().enumerate() {
        let is_traversed = (ty.derives || ty.class.is_some()) && !is_marked(ty);
        let fields = ty.fields.iter().enumerate().filter(|(_, field)| is_traversed && !field.is_excluded);
        edges.push(
            fields
                .map(|(at, field)| {
                    let own = own_types(&field.ty, ty.module, &holdings).into_iter().filter_map(index_of);
                    (at, own.filter(|other| *other != index).collect())
                })
                .collect(),
        );
    }
    let mut marks = 0;
    while let Some(in_loops) = loops(&edges) {
        let inside =
            |index: usize| edges[index].iter().filter(|(_, to)| to.iter().any(|to| in_loops.contains(to)));
        let arrivals = |index: usize| {
            let from = in_loops.iter().flat_map(|from| edges[*from].iter().flat_map(|(_, to)| to));
            from.filter(|to| **to == index).count()
        };
        // One that owns references anyway loses nothing by the mark.
        let owns = |index: usize| matches!(holdings.of_type(&types[index]), Holds::Yes(_));
        let Some(chosen) = in_loops
            .iter()
            .copied()
            .max_by_key(|index| (owns(*index), arrivals(*index), std::cmp::Reverse(*index)))
        else {
            break;
        };
        let fields: Vec<_> = inside(chosen).map(|(at, _)| *at).collect();
        let ty = &types[chosen];
        if let [field] = fields[..] {
            put_on_field(view, ty, &ty.fields[field], "#[pyo3_gc(recursive)]", edits);
        } else {
            let indent = indent_of(view.sources, ty.head_at);
            edits.insert(
                view.sources,
                ty.head_at.file,
                ty.head_at.start,
                format!("#[pyo3_gc(recursive)]\n{indent}"),
            );
        }
        edges[chosen].retain(|(at, _)| !fields.contains(at));
        marks += 1;
    }
    marks
}

/// The types that lead back to themselves.
fn loops(edges: &[Vec<(usize, Vec<usize>)>]) -> Option<BTreeSet<usize>> {
    let leads_back = |start: &usize| {
        let mut seen = BTreeSet::new();
        let mut pending = vec![*start];
        while let Some(at) = pending.pop() {
            for to in edges[at].iter().flat_map(|(_, to)| to) {
                if to == start {
                    return true;
                }
                if seen.insert(*to) {
                    pending.push(*to);
                }
            }
        }
        false
    };
    let found: BTreeSet<_> = (0..edges.len()).filter(leads_back).collect();
    // One loop after the other: those of the first that leads back.
    let first = *found.first()?;
    let reaches = |from: usize, wanted: usize| {
        let mut seen = BTreeSet::from([from]);
        let mut pending = vec![from];
        while let Some(at) = pending.pop() {
            for to in edges[at].iter().flat_map(|(_, to)| to) {
                if *to == wanted {
                    return true;
                }
                if seen.insert(*to) {
                    pending.push(*to);
                }
            }
        }
        false
    };
    Some(
        found
            .into_iter()
            .filter(|index| *index == first || (reaches(first, *index) && reaches(*index, first)))
            .collect(),
    )
}
