//! The item as the derive sees it: containers, variants and fields, borrowed from syn. No tokens come out of here.

use proc_macro2::{Span, TokenStream};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Data, DeriveInput, Fields, Generics, Ident, Index, Member, Type};

use crate::attr::{self, ContainerAttrs, FieldAttrs};
use crate::errors::Errors;
use crate::leaves::is_function_pointer;

pub(crate) struct Container<'a> {
    pub(crate) ident: &'a Ident,
    pub(crate) generics: &'a Generics,
    pub(crate) attrs: ContainerAttrs,
    /// The lints that the user allows in the item. They must be allowed in what is made of it, too.
    pub(crate) allowed: Vec<&'a TokenStream>,
    pub(crate) shape: Shape<'a>,
}

pub(crate) enum Shape<'a> {
    Struct(Vec<Field<'a>>),
    Enum(Vec<Variant<'a>>),
    /// At its `union` keyword. Can't be derived for.
    Union(Span),
}

pub(crate) struct Variant<'a> {
    pub(crate) ident: &'a Ident,
    pub(crate) fields: Vec<Field<'a>>,
}

pub(crate) struct Field<'a> {
    pub(crate) member: Member,
    pub(crate) ty: &'a Type,
    pub(crate) attrs: FieldAttrs,
}

impl<'a> Container<'a> {
    pub(crate) fn read(errors: &Errors, input: &'a DeriveInput) -> Self {
        let attrs = ContainerAttrs::parse(errors, &input.attrs);
        let shape = match &input.data {
            Data::Struct(data) => Shape::Struct(read_fields(errors, &data.fields)),
            Data::Enum(data) => Shape::Enum(
                data.variants
                    .iter()
                    .map(|variant| {
                        attr::parse_variant(errors, &variant.attrs);
                        Variant { ident: &variant.ident, fields: read_fields(errors, &variant.fields) }
                    })
                    .collect(),
            ),
            Data::Union(data) => Shape::Union(data.union_token.span()),
        };
        let allowed = attr::allowed_lints(&input.attrs).collect();
        Self { ident: &input.ident, generics: &input.generics, attrs, allowed, shape }
    }

    /// Whether clearing puts a default in the place of the whole value.
    pub(crate) fn is_replaced(&self) -> bool {
        self.attrs.clear.as_ref().is_some_and(|clear| clear.value)
    }

    pub(crate) fn fields(&self) -> impl Iterator<Item = &Field<'a>> {
        let (fields, variants): (&[Field<'a>], &[Variant<'a>]) = match &self.shape {
            Shape::Struct(fields) => (fields, &[]),
            Shape::Enum(variants) => (&[], variants),
            Shape::Union(_) => (&[], &[]),
        };
        fields.iter().chain(variants.iter().flat_map(|variant| &variant.fields))
    }
}

impl Field<'_> {
    /// Whether the collector is told of the field.
    pub(crate) fn is_traversed(&self) -> bool {
        self.attrs.excluded().is_none()
            && self.attrs.hidden.is_none()
            && (self.with().is_some() || !is_function_pointer(self.ty))
    }

    /// What the user calls it: a name, or the number of a field in parentheses.
    pub(crate) fn name(&self) -> String {
        match &self.member {
            Member::Named(ident) => ident.unraw().to_string(),
            Member::Unnamed(index) => index.index.to_string(),
        }
    }

    /// The type that stands in for the field's.
    pub(crate) fn with(&self) -> Option<&Type> {
        self.attrs.with.as_ref().map(|with| &with.value)
    }

    /// Whether clearing empties the field, by its type's own answer.
    pub(crate) fn is_cleared(&self) -> bool {
        self.is_traversed() && self.attrs.clear.is_none()
    }

    /// Whether clearing puts a default in the field's place.
    pub(crate) fn is_replaced(&self) -> bool {
        self.attrs.clear.as_ref().is_some_and(|clear| clear.value)
    }
}

fn read_fields<'a>(errors: &Errors, fields: &'a Fields) -> Vec<Field<'a>> {
    fields
        .iter()
        .enumerate()
        .map(|(position, field)| Field {
            member: match &field.ident {
                Some(ident) => Member::Named(ident.clone()),
                None => Member::Unnamed(Index::from(position)),
            },
            ty: &field.ty,
            attrs: FieldAttrs::parse(errors, &field.attrs),
        })
        .collect()
}
