//! Rules that need more than one attribute, or more than attributes.

use syn::{Attribute, Ident, Path, Token};

use crate::advice::names_owner;
use crate::attr::{CLEAR, RECURSIVE, WITH};
use crate::errors::Errors;
use crate::model::{Container, Field, Shape};

pub(crate) fn check(errors: &Errors, container: &Container<'_>, attributes: &[Attribute]) {
    if let Shape::Union(span) = container.shape {
        errors.at(
            span,
            "`PyGcTraversable` can't be derived for a union: which field is live isn't known; use an enum, or implement the trait by hand",
        );
    }
    check_layout(errors, attributes);
    for field in container.fields() {
        check_exclusion(errors, field);
        check_owner(errors, field);
        check_container(errors, container, field);
    }
}

/// References into a packed struct aren't aligned, and `traverse` needs them.
fn check_layout(errors: &Errors, attributes: &[Attribute]) {
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("repr")) {
        // What `repr` takes is rustc's to judge: anything but `packed` is passed over.
        let _ = attribute.parse_nested_meta(|meta| {
            if meta.path.is_ident("packed") {
                errors.at(
                    span_of(&meta.path),
                    "`PyGcTraversable` can't be derived for a packed struct: its fields can't be borrowed; remove `packed`",
                );
            }
            if meta.input.peek(syn::token::Paren) {
                let content;
                syn::parenthesized!(content in meta.input);
                content.parse::<proc_macro2::TokenStream>()?;
            } else if meta.input.peek(Token![=]) {
                meta.value()?.parse::<proc_macro2::TokenTree>()?;
            }
            Ok(())
        });
    }
}

fn span_of(path: &Path) -> proc_macro2::Span {
    path.get_ident().map_or_else(proc_macro2::Span::call_site, Ident::span)
}

/// A field that is excluded or hidden takes no other key.
fn check_exclusion(errors: &Errors, field: &Field<'_>) {
    let attrs = &field.attrs;
    if let (Some(skip), Some(gc)) = (&attrs.skip, &attrs.gc) {
        errors.at(
            skip.key,
            if gc.value {
                "`skip` contradicts `gc = true`: remove one"
            } else {
                "`skip` means the same as `gc = false`: remove one"
            },
        );
    }
    let excluded = attrs.excluded().map(|(_, spelling)| spelling);
    if let Some(hidden) = &attrs.hidden {
        if let Some(spelling) = excluded {
            let message = format!(
                "`hidden` contradicts `{spelling}`, which says that the field owns no Python object: remove one"
            );
            errors.at(hidden.key, message);
        } else if attrs.gc.is_some() {
            errors.at(hidden.key, "`hidden` contradicts `gc = true`: remove one");
        }
    }
    let Some(spelling) = excluded.or(attrs.hidden.as_ref().map(|_| "#[pyo3_gc(hidden = \"...\")]")) else {
        return;
    };
    // A default may take the place of what is excluded, such as an index, but not of what is hidden.
    let is_replaced = excluded.is_some() && attrs.hidden.is_none() && field.is_replaced();
    let others = [
        (CLEAR, attrs.clear.as_ref().map(|clear| clear.key).filter(|_| !is_replaced)),
        (RECURSIVE, attrs.recursive.as_ref().map(|recursive| recursive.key)),
        (WITH, attrs.with.as_ref().map(|with| with.key)),
    ];
    for (name, key) in others {
        if let Some(key) = key {
            errors.at(
                key,
                format_args!("`{name}` contradicts `{spelling}`, which leaves the field alone: remove one"),
            );
        }
    }
}

/// A field that is excluded is said to own no Python object.
fn check_owner(errors: &Errors, field: &Field<'_>) {
    let Some((key, spelling)) = field.attrs.excluded() else { return };
    if let Some(name) = names_owner(field.ty) {
        let message = format!(
            "`{spelling}` says that field `{}` owns no Python object, but its type names `{name}`: to hide it all the same, say \
             why with `#[pyo3_gc(hidden = \"reason\")]`; to visit it, use a stand-in (`#[pyo3_gc(with = Type)]`) or a \
             `PyGcPool`{}",
            field.name(),
            if name.contains("PyErr") || name == "PyResult" { "; a `PyErr` becomes a `PyGcErr`" } else { "" }
        );
        errors.at(key, message);
    }
}

/// What the container says of all its fields isn't said of one.
fn check_container(errors: &Errors, container: &Container<'_>, field: &Field<'_>) {
    if let (Some(whole), Some(clear)) = (&container.attrs.clear, &field.attrs.clear) {
        let value = if whole.value { "default" } else { "false" };
        let message = format!(
            "`clear` contradicts `clear = {value}` on the struct or enum, which holds for the whole value: remove one"
        );
        errors.at(clear.key, message);
    }
    if let (Some(_), Some(recursive)) = (&container.attrs.recursive, &field.attrs.recursive) {
        errors.at(recursive.key, "`recursive` on the struct or enum holds for all its fields: remove one");
    }
}
