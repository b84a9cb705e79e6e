//! The macros, called as functions on many thousands of items: they never panic, what they make parses, and each mistake
//! is one error. See `generate/mod.rs` for how to run more, and how to repeat a failure.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Attribute, DeriveInput, File, Item, ItemImpl, Meta, Token};

use crate::generate::soup::{mutate, soup};
use crate::generate::{Flaw, Source, one_in, with_seeds};
use crate::{expand, generate, pyclass, pymethods};

/// Takes the first attribute that is one of our macros, and what it is given.
fn take_macro(attributes: &mut Vec<Attribute>) -> Option<(String, TokenStream)> {
    let position = attributes.iter().position(|attribute| {
        ["pyclass", "pymethods", "traversable"].iter().any(|name| attribute.path().is_ident(name))
    })?;
    let meta = attributes.remove(position).meta;
    let arguments = match &meta {
        Meta::List(list) => list.tokens.clone(),
        _ => TokenStream::new(),
    };
    Some((meta.path().to_token_stream().to_string(), arguments))
}

/// What rustc does before it calls a derive.
fn expand_cfg_attr(attributes: &mut Vec<Attribute>) {
    *attributes = attributes
        .drain(..)
        .flat_map(|attribute| match &attribute.meta {
            Meta::List(list) if list.path.is_ident("cfg_attr") => {
                let tokens = list.tokens.clone();
                let metas = Punctuated::<Meta, Token![,]>::parse_terminated.parse2(tokens).unwrap();
                metas.into_iter().skip(1).map(|meta| Attribute { meta, ..attribute.clone() }).collect()
            }
            _ => vec![attribute],
        })
        .collect();
}

fn derive(mut input: DeriveInput) -> usize {
    expand_cfg_attr(&mut input.attrs);
    let fields: Box<dyn Iterator<Item = &mut syn::Field>> = match &mut input.data {
        syn::Data::Struct(data) => Box::new(data.fields.iter_mut()),
        syn::Data::Enum(data) => Box::new(data.variants.iter_mut().flat_map(|variant| {
            expand_cfg_attr(&mut variant.attrs);
            variant.fields.iter_mut()
        })),
        syn::Data::Union(data) => Box::new(data.fields.named.iter_mut()),
    };
    fields.for_each(|field| expand_cfg_attr(&mut field.attrs));
    let file = parse(expand::derive(&input, true));
    let impls = file.items.iter().filter(|item| matches!(item, Item::Impl(_) | Item::Const(_))).count();
    assert!(impls > 0, "on a mistake, too, the trait is implemented");
    count_errors(&file)
}

/// Expands all that our macros are on, as rustc does, and counts the errors.
fn expand_items(file: File) -> usize {
    file.items
        .into_iter()
        .map(|item| match item {
            Item::Impl(mut block) => match take_macro(&mut block.attrs) {
                Some((_, arguments)) => {
                    count_errors(&parse(pymethods::pymethods(&arguments, &block.into_token_stream())))
                }
                None => 0,
            },
            Item::Struct(_) | Item::Enum(_) | Item::Union(_) => {
                let mut input: DeriveInput = syn::parse2(item.into_token_stream()).unwrap();
                match take_macro(&mut input.attrs) {
                    Some((name, arguments)) => {
                        let item = input.into_token_stream();
                        let made = match name.as_str() {
                            "pyclass" => pyclass::pyclass(arguments, &item),
                            _ => pyclass::traversable(&arguments, &item),
                        };
                        let file = parse(made);
                        count_errors(&file) + expand_items(file)
                    }
                    None if derives(&input) => derive(input),
                    None => 0,
                }
            }
            _ => 0,
        })
        .sum()
}

fn derives(input: &DeriveInput) -> bool {
    let is_derive = |attribute: &Attribute| {
        attribute.path().is_ident("derive")
            && attribute.to_token_stream().to_string().contains("PyGcTraversable")
    };
    input.attrs.iter().any(is_derive)
}

fn parse(tokens: TokenStream) -> File {
    let text = tokens.to_string();
    syn::parse2(tokens).unwrap_or_else(|error| panic!("what was made doesn't parse: {error}\n{text}"))
}

fn count_errors(file: &File) -> usize {
    let is_error = |item: &&Item| matches!(item, Item::Macro(item) if item.mac.path.segments.last().is_some_and(|name| name.ident == "compile_error"));
    file.items.iter().filter(is_error).count()
}

fn check(source: &Source) {
    let text = source.to_string();
    let file = syn::parse_file(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(expand_items(file), source.mistakes(), "the errors are not as many as the mistakes:\n{text}");
}

#[test]
fn each_mistake_is_one_error() {
    with_seeds(1500, |rng| check(&generate::item::item(rng, Flaw::Attributes)));
}

#[test]
fn what_is_right_is_no_error() {
    with_seeds(1500, |rng| check(&generate::item::item(rng, Flaw::Nothing)));
}

/// Everything that takes tokens, with tokens that mean nothing.
#[test]
fn tokens_that_mean_nothing() {
    with_seeds(1500, |rng| {
        let attributes: Vec<_> = (0..3)
            .map(|_| {
                let name = generate::pick(
                    rng,
                    &["pyo3", "pyo3_gc", "__pyo3_gc", "repr", "cfg_attr", "derive", "allow", "cfg", "doc"],
                );
                let name = proc_macro2::Ident::new(name, proc_macro2::Span::call_site());
                let tokens = soup(rng, 3);
                if one_in(rng, 10) { quote!(#[#name = #tokens]) } else { quote!(#[#name(#tokens)]) }
            })
            .collect();
        let [one, two, three] = attributes.try_into().unwrap();
        let item = match rng.u8(..4) {
            0 => quote!(#one struct Item<T> { #two field: T, #three other: Vec<Self> }),
            1 => quote!(#one enum Item { #two One(#three u8), Other { #two field: Box<Item> } }),
            2 => quote!(#one impl Item { #two fn __traverse__(&self, #three visit: u8) {} fn other() {} }),
            _ => quote!(#one union Item { #two field: u8, #three other: u16 }),
        };
        expand_with_all(&soup(rng, 3), item);
    });
}

/// Items that mean something, but for a token or two.
#[test]
fn items_with_tokens_out_of_place() {
    with_seeds(1500, |rng| {
        let flaw = if rng.bool() { Flaw::Nothing } else { Flaw::Attributes };
        let file = syn::parse_file(&generate::item::item(rng, flaw).to_string()).unwrap();
        for item in file.items {
            let mut tokens = item.into_token_stream();
            for _ in 0..rng.usize(1..4) {
                tokens = mutate(rng, tokens);
            }
            expand_with_all(&soup(rng, 1), tokens);
        }
    });
}

/// What is an item is one afterwards, with more beside it. What is none is somebody else's to complain about.
fn expand_with_all(arguments: &TokenStream, item: TokenStream) {
    let class = pyclass::pyclass(arguments.clone(), &item);
    let traversable = pyclass::traversable(arguments, &item);
    let methods = pymethods::pymethods(arguments, &item);
    if let Ok(input) = syn::parse2::<DeriveInput>(item.clone()) {
        parse(expand::derive(&input, true));
        parse(traversable);
        if syn::parse2::<Meta>(quote!(pyclass(#arguments))).is_ok() {
            parse(class);
        }
    }
    if syn::parse2::<ItemImpl>(item).is_ok() {
        parse(methods);
    }
}
