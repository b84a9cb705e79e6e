//! Tokens that mean nothing, alone and in the middle of something that does.

use fastrand::Rng;
use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};

use super::{one_in, pick};

const WORDS: &[&str] = &[
    "gc",
    "skip",
    "clear",
    "recursive",
    "with",
    "bound",
    "crate",
    "false",
    "true",
    "self",
    "Self",
    "fn",
    "pyo3",
    "pyo3_gc",
    "__pyo3_gc",
    "derive",
    "PyGcTraversable",
    "cfg",
    "cfg_attr",
    "all",
    "repr",
    "packed",
    "allow",
    "where",
    "impl",
    "dyn",
    "for",
    "T",
    "u8",
    "get",
    "struct",
    "enum",
    "pub",
    "_",
    "mut",
    "__traverse__",
    "__clear__",
];
const RAW_WORDS: &[&str] = &["gc", "skip", "fn", "type", "struct"];

/// A few tokens, nested `depth` deep at most.
pub(crate) fn soup(rng: &mut Rng, depth: usize) -> TokenStream {
    let count = rng.usize(..6);
    (0..count).map(|_| token(rng, depth)).collect()
}

fn token(rng: &mut Rng, depth: usize) -> TokenTree {
    match rng.u8(..12) {
        0..4 => Ident::new(pick(rng, WORDS), Span::call_site()).into(),
        4 => Ident::new_raw(pick(rng, RAW_WORDS), Span::call_site()).into(),
        5 | 6 if depth > 0 => {
            let delimiters =
                [&Delimiter::Parenthesis, &Delimiter::Brace, &Delimiter::Bracket, &Delimiter::None];
            let delimiter = *pick(rng, &delimiters);
            Group::new(delimiter, soup(rng, depth - 1)).into()
        }
        7 => literal(rng).into(),
        8 | 9 => Punct::new(*pick(rng, &[&'=', &',']), Spacing::Alone).into(),
        _ => {
            let all: Vec<char> = "=<>!~?@#$%^&*-+/|:;,.".chars().collect();
            let spacing = if rng.bool() { Spacing::Joint } else { Spacing::Alone };
            Punct::new(all[rng.usize(..all.len())], spacing).into()
        }
    }
}

fn literal(rng: &mut Rng) -> Literal {
    match rng.u8(..10) {
        0 => Literal::u8_suffixed(3),
        1 => Literal::i64_unsuffixed(7),
        2 => Literal::f64_unsuffixed(1.5),
        3 => Literal::character('c'),
        4 => Literal::byte_string(b"T: Clone"),
        5 => Literal::c_string(c"pyo3_gc"),
        _ => Literal::string(pick(
            rng,
            &[
                "",
                "T: Clone",
                "pyo3_gc",
                "::a::b",
                "T:",
                "a b",
                "\"",
                "é",
                "T: Clone,",
                "'a: 'b",
                "{",
                "r#type",
                "$crate",
            ],
        )),
    }
}

/// The tokens with a change or two, at any depth.
pub(crate) fn mutate(rng: &mut Rng, tokens: TokenStream) -> TokenStream {
    let mut tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let inside: Vec<usize> =
        (0..tokens.len()).filter(|at| matches!(tokens[*at], TokenTree::Group(_))).collect();
    if !inside.is_empty() && !one_in(rng, 4) {
        let at = inside[rng.usize(..inside.len())];
        if let TokenTree::Group(group) = &tokens[at] {
            let delimiter = if one_in(rng, 20) { Delimiter::None } else { group.delimiter() };
            tokens[at] = Group::new(delimiter, mutate(rng, group.stream())).into();
        }
        return tokens.into_iter().collect();
    }
    let at = rng.usize(..=tokens.len());
    let other = if tokens.is_empty() { 0 } else { rng.usize(..tokens.len()) };
    match rng.u8(..4) {
        0 if at < tokens.len() => drop(tokens.remove(at)),
        1 if at < tokens.len() => tokens.swap(at, other),
        2 if !tokens.is_empty() => {
            let again = tokens[other].clone();
            tokens.insert(at, again);
        }
        _ => {
            tokens.splice(at..at, soup(rng, 2));
        }
    }
    tokens.into_iter().collect()
}
