//! `#[pyo3(gc = …)]` and `#[pyo3_gc(…)]` → typed attributes, each with the span that it came from.

use std::mem;

use proc_macro2::{Span, TokenStream, TokenTree};
use syn::parse::Parser;
use syn::{Attribute, Ident, LitBool, Meta, Path, Type, WherePredicate, parse_quote};

use crate::errors::Errors;
use crate::meta::{
    Entry, boolean, bound, clear_whole, entry, flag, hidden, krate, parse, split_at_commas, ungroup, with,
};

/// The attribute that PyO3's macros own too; of its keys only `gc` is ours.
pub(crate) const PYO3: &str = "pyo3";
/// The attribute that is ours alone.
pub(crate) const PYO3_GC: &str = "pyo3_gc";

/// What our attribute macros turn the former into, for the keys that are ours: PyO3's macros must not see them.
pub(crate) const FORWARDED: &str = "__pyo3_gc";

pub(crate) const LEFT_ALONE: &str = "`#[pyclass(gc = false)]` leaves the class to PyO3, so that this says nothing: remove \
                                     one of the two";

const GC: &str = "gc";
const BOUND: &str = "bound";
const CRATE: &str = "crate";
const SKIP: &str = "skip";
pub(crate) const CLEAR: &str = "clear";
pub(crate) const RECURSIVE: &str = "recursive";
pub(crate) const WITH: &str = "with";
const HIDDEN: &str = "hidden";

const CONTAINER_KEYS: &[&str] = &[BOUND, CRATE];
/// Keys of fields, of which the last two stand on containers as well.
const FIELD_KEYS: &[&str] = &[SKIP, HIDDEN, WITH, CLEAR, RECURSIVE];

/// A value and the key that it was given with.
pub(crate) struct Keyed<T> {
    pub(crate) key: Span,
    pub(crate) value: T,
}

#[derive(Default)]
pub(crate) struct ContainerAttrs {
    pub(crate) bound: Option<Keyed<Vec<WherePredicate>>>,
    pub(crate) krate: Option<Keyed<Path>>,
    /// Whether clearing replaces the whole value by its `Default`, or, where it is `false`, does nothing.
    pub(crate) clear: Option<Keyed<bool>>,
    pub(crate) recursive: Option<Keyed<()>>,
}

#[derive(Default)]
pub(crate) struct FieldAttrs {
    pub(crate) gc: Option<Keyed<bool>>,
    pub(crate) skip: Option<Keyed<()>>,
    pub(crate) hidden: Option<Keyed<String>>,
    pub(crate) clear: Option<Keyed<bool>>,
    pub(crate) recursive: Option<Keyed<()>>,
    pub(crate) with: Option<Keyed<Type>>,
}

/// Where an attribute stands.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Container,
    Impl,
    Variant,
    Field,
}

impl ContainerAttrs {
    pub(crate) fn parse(errors: &Errors, attributes: &[Attribute]) -> Self {
        let mut attrs = Self::default();
        for entry in entries(errors, attributes, Place::Container) {
            let Entry { key, value } = entry;
            match key.to_string().as_str() {
                BOUND => set(errors, &mut attrs.bound, &key, bound(&value)),
                CRATE => set(errors, &mut attrs.krate, &key, krate(&value)),
                CLEAR => set(errors, &mut attrs.clear, &key, clear_whole(&value)),
                RECURSIVE => set(errors, &mut attrs.recursive, &key, flag(RECURSIVE, &value)),
                _ => misplaced(errors, &key, Place::Container),
            }
        }
        attrs
    }

    /// The path of the runtime crate: `::pyo3_gc`, unless `crate = "…"` names another.
    pub(crate) fn krate(&self) -> Path {
        self.krate.as_ref().map_or_else(|| parse_quote!(::pyo3_gc), |krate| krate.value.clone())
    }

    /// The same, for a macro that reads nothing else. Mistakes are the derive's to report.
    pub(crate) fn krate_of(attributes: &[Attribute]) -> Path {
        let errors = Errors::new();
        let attrs = Self::parse(&errors, attributes);
        let _ = errors.finish();
        attrs.krate()
    }
}

/// Takes our attributes off the `impl` block of `#[pymethods]`, where no key but the path of the runtime crate belongs.
pub(crate) fn take_from_impl(errors: &Errors, attributes: &mut Vec<Attribute>) -> Path {
    take_crate(errors, attributes, Place::Impl, |key| misplaced(errors, key, Place::Impl))
}

/// The same for a class with `gc = false`, which no derive will read.
pub(crate) fn take_from_left_alone(errors: &Errors, attributes: &mut Vec<Attribute>) -> Path {
    take_crate(errors, attributes, Place::Container, |key| errors.at(key.span(), LEFT_ALONE))
}

fn take_crate(
    errors: &Errors,
    attributes: &mut Vec<Attribute>,
    place: Place,
    other: impl Fn(&Ident),
) -> Path {
    let is_ours = |attribute: &Attribute| attribute.path().is_ident(PYO3_GC);
    let (ours, theirs): (Vec<_>, Vec<_>) = mem::take(attributes).into_iter().partition(is_ours);
    *attributes = theirs;
    let mut attrs = ContainerAttrs::default();
    for Entry { key, value } in entries(errors, &ours, place) {
        if key == CRATE {
            set(errors, &mut attrs.krate, &key, krate(&value));
        } else {
            other(&key);
        }
    }
    attrs.krate()
}

/// A variant has no attributes of ours; whatever stands there is a mistake.
pub(crate) fn parse_variant(errors: &Errors, attributes: &[Attribute]) {
    for entry in entries(errors, attributes, Place::Variant) {
        misplaced(errors, &entry.key, Place::Variant);
    }
}

/// What stands in each `#[allow(…)]` and `#[expect(…)]`.
pub(crate) fn allowed_lints(attributes: &[Attribute]) -> impl Iterator<Item = &TokenStream> {
    attributes.iter().filter_map(|attribute| match &attribute.meta {
        Meta::List(list) if list.path.is_ident("allow") || list.path.is_ident("expect") => Some(&list.tokens),
        _ => None,
    })
}

impl FieldAttrs {
    pub(crate) fn parse(errors: &Errors, attributes: &[Attribute]) -> Self {
        let mut attrs = Self::default();
        for entry in entries(errors, attributes, Place::Field) {
            let Entry { key, value } = entry;
            match key.to_string().as_str() {
                GC => set(errors, &mut attrs.gc, &key, boolean(GC, "pyo3", &value)),
                SKIP => set(errors, &mut attrs.skip, &key, flag(SKIP, &value)),
                HIDDEN => set(errors, &mut attrs.hidden, &key, hidden(&value)),
                CLEAR => set(errors, &mut attrs.clear, &key, boolean(CLEAR, "pyo3_gc", &value)),
                RECURSIVE => set(errors, &mut attrs.recursive, &key, flag(RECURSIVE, &value)),
                WITH => set(errors, &mut attrs.with, &key, with(&value)),
                _ => misplaced(errors, &key, Place::Field),
            }
        }
        attrs
    }

    /// The key that says that the field owns no Python object, as the user spelled it.
    pub(crate) fn excluded(&self) -> Option<(Span, &'static str)> {
        match (&self.skip, &self.gc) {
            (Some(skip), _) => Some((skip.key, "#[pyo3_gc(skip)]")),
            (None, Some(gc)) if !gc.value => Some((gc.key, "#[pyo3(gc = false)]")),
            _ => None,
        }
    }
}

/// All entries of ours at one place. What isn't ours is passed over; what can't be read is reported.
fn entries(errors: &Errors, attributes: &[Attribute], place: Place) -> Vec<Entry> {
    let mut found = Vec::new();
    for attribute in attributes {
        let ours = attribute.path().is_ident(PYO3_GC);
        if !ours && !attribute.path().is_ident(PYO3) && !attribute.path().is_ident(FORWARDED) {
            continue;
        }
        let Meta::List(list) = &attribute.meta else {
            if ours {
                let message = format!("`pyo3_gc` takes keys in parentheses: {}", expected(place));
                errors.push(syn::Error::new_spanned(&attribute.meta, message));
            }
            continue;
        };
        for tokens in split_at_commas(list.tokens.clone()) {
            let meant_for_us = ours || names_gc(&tokens);
            match entry.parse2(tokens) {
                Ok(entry)
                    if !ours && place == Place::Field && FIELD_KEYS.iter().any(|key| entry.key == key) =>
                {
                    let key = &entry.key;
                    errors.at(
                        key.span(),
                        format_args!("`{key}` is a key of `#[pyo3_gc(...)]`, not of `#[pyo3(...)]`"),
                    );
                }
                Ok(entry) if ours && entry.key == GC => errors.at(
                    entry.key.span(),
                    "`gc` is a key of `#[pyo3(...)]`: write `#[pyo3(gc = false)]`, or `#[pyo3_gc(skip)]`",
                ),
                Ok(entry) if meant_for_us => found.push(entry),
                Err(error) if meant_for_us => errors.push(error),
                Ok(_) | Err(_) => {}
            }
        }
    }
    found
}

/// Whether an entry of `#[pyo3(…)]` is ours, readable or not. Every key but `gc` belongs to PyO3's macros, and so
/// does `gc<…>` or `gc>`, a piece of a path.
pub(crate) fn names_gc(tokens: &TokenStream) -> bool {
    let mut tokens = tokens.clone().into_iter();
    let key = tokens.next().map(|key| ungroup(key.into()).into_iter().next());
    matches!(key, Some(Some(TokenTree::Ident(key))) if key == GC)
        && !matches!(tokens.next(), Some(TokenTree::Punct(punct)) if punct.as_char() != '=')
}

/// The arguments of `#[pyclass(…)]` or `#[pymethods(…)]`: where `gc = false` stands, if it does, and those that are PyO3's.
/// `usage` says what it is for.
pub(crate) fn parse_arguments(
    errors: &Errors,
    arguments: TokenStream,
    usage: &str,
) -> (Option<Span>, Vec<TokenStream>) {
    let (ours, theirs): (Vec<_>, Vec<_>) = split_at_commas(arguments).into_iter().partition(names_gc);
    let mut gc = None;
    for tokens in ours {
        let Entry { key, value } = match entry.parse2(tokens) {
            Ok(entry) => entry,
            Err(error) => {
                errors.push(error);
                continue;
            }
        };
        let value = match parse::<LitBool>(&value, usage) {
            Ok(literal) if literal.value => Err(syn::Error::new(literal.span, usage)),
            other => other,
        };
        set(errors, &mut gc, &key, value);
    }
    (gc.map(|gc| gc.key), theirs)
}

/// The `#[cfg(…)]`s of an item, which whatever is emitted beside it must share.
pub(crate) fn cfgs(attributes: &[Attribute]) -> Vec<Attribute> {
    attributes.iter().filter(|attribute| attribute.path().is_ident("cfg")).cloned().collect()
}

/// Whether any identifier among the tokens satisfies `predicate`.
pub(crate) fn mentions(tokens: TokenStream, predicate: &impl Fn(&Ident) -> bool) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => predicate(&ident),
        TokenTree::Group(group) => mentions(group.stream(), predicate),
        _ => false,
    })
}

/// Stores a value, unless it is the second for its key.
fn set<T>(errors: &Errors, slot: &mut Option<Keyed<T>>, key: &Ident, value: syn::Result<T>) {
    if slot.is_some() {
        errors.at(key.span(), format_args!("`{key}` is given twice: remove one"));
        return;
    }
    match value {
        Ok(value) => {
            let key = key.span();
            *slot = Some(Keyed { key, value });
        }
        Err(error) => errors.push(error),
    }
}

fn misplaced(errors: &Errors, key: &Ident, place: Place) {
    let name = key.to_string();
    let both = name == CLEAR || name == RECURSIVE;
    let message = if name == GC {
        format!(
            "`gc` belongs on a field, not on {}: put `#[pyo3(gc = false)]` on each field that it is meant for{}",
            place.name(),
            if place == Place::Container { "; `#[pyclass(gc = false)]` leaves a class to PyO3" } else { "" }
        )
    } else if FIELD_KEYS.contains(&name.as_str()) {
        format!(
            "`{name}` belongs on a field{}, not on {}",
            if both { " or on the struct or enum" } else { "" },
            place.name()
        )
    } else if CONTAINER_KEYS.contains(&name.as_str()) {
        format!("`{name}` belongs on the struct or enum, not on {}", place.name())
    } else {
        format!("unknown key `{name}`: {}", expected(place))
    };
    errors.at(key.span(), message);
}

fn expected(place: Place) -> &'static str {
    match place {
        Place::Container => {
            "expected `clear = default`, `clear = false`, `recursive`, `bound = \"...\"` or `crate = \"...\"` here"
        }
        Place::Impl => "expected `crate = \"...\"` here",
        Place::Variant => "a variant takes none; keys belong on its fields or on the enum",
        Place::Field => {
            "expected `skip`, `hidden = \"...\"`, `clear = false`, `clear = true`, `recursive` or `with = Type` here"
        }
    }
}

impl Place {
    fn name(self) -> &'static str {
        match self {
            Place::Container => "the struct or enum",
            Place::Impl => "an `impl` block",
            Place::Variant => "a variant",
            Place::Field => "a field",
        }
    }
}
