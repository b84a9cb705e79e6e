//! Expands a crate's own `macro_rules!`, so that the classes that they make are seen. Every token keeps its place in the source.

use std::collections::HashMap;

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use syn::parse::{ParseStream, Parser};
use syn::{Lifetime, Lit, Visibility};

/// One `macro_rules!`: matchers, each with what it becomes.
#[derive(Clone)]
pub(crate) struct Rules(Vec<(Vec<Matcher>, TokenStream)>);

#[derive(Clone)]
enum Matcher {
    Token(TokenTree),
    Group(Delimiter, Vec<Matcher>),
    Fragment(String, String),
    Repeat { of: Vec<Matcher>, separator: Option<TokenTree>, at_most_once: bool, at_least_once: bool },
}

enum Bound {
    One(TokenStream),
    Many(Vec<Bindings>),
}

type Bindings = HashMap<String, Bound>;

impl Rules {
    /// Reads `(matcher) => { transcriber }; …`.
    pub(crate) fn parse(tokens: TokenStream) -> Self {
        let mut rules = Vec::new();
        let mut tokens = tokens.into_iter();
        while let Some(tree) = tokens.next() {
            let TokenTree::Group(matcher) = tree else { continue };
            let transcriber = tokens.by_ref().find_map(|tree| match tree {
                TokenTree::Group(group) => Some(group.stream()),
                _ => None,
            });
            if let Some(transcriber) = transcriber {
                rules.push((matchers(matcher.stream()), transcriber));
            }
        }
        Self(rules)
    }

    /// What a call becomes, if a rule matches it.
    pub(crate) fn expand(&self, input: &TokenStream) -> Option<TokenStream> {
        let input: Vec<_> = input.clone().into_iter().collect();
        self.0.iter().find_map(|(matcher, transcriber)| {
            let mut bindings = Bindings::new();
            let rest = matches(matcher, &input, &mut bindings)?;
            rest.is_empty().then(|| transcribe(transcriber.clone(), &[&bindings])).flatten()
        })
    }
}

fn is_punct(tree: Option<&TokenTree>, wanted: char) -> bool {
    matches!(tree, Some(TokenTree::Punct(punct)) if punct.as_char() == wanted)
}

fn matchers(tokens: TokenStream) -> Vec<Matcher> {
    let trees: Vec<_> = tokens.into_iter().collect();
    let mut found = Vec::new();
    let mut position = 0;
    while let Some(tree) = trees.get(position) {
        position += 1;
        match tree {
            TokenTree::Punct(punct) if punct.as_char() == '$' => match trees.get(position) {
                Some(TokenTree::Group(group)) => {
                    let ((separator, operator), end) = repeat(&trees, position + 1);
                    let of = matchers(group.stream());
                    found.push(Matcher::Repeat {
                        of,
                        separator,
                        at_most_once: operator == '?',
                        at_least_once: operator == '+',
                    });
                    position = end;
                }
                Some(TokenTree::Ident(name)) => {
                    let kind = trees.get(position + 2).map(ToString::to_string).unwrap_or_default();
                    found.push(Matcher::Fragment(name.to_string(), kind));
                    position += 3;
                }
                _ => {}
            },
            TokenTree::Group(group) => {
                found.push(Matcher::Group(group.delimiter(), matchers(group.stream())));
            }
            other => found.push(Matcher::Token(other.clone())),
        }
    }
    found
}

/// The separator and the operator of a repetition whose group ends before `position`, and where they end.
fn repeat(trees: &[TokenTree], position: usize) -> ((Option<TokenTree>, char), usize) {
    let operator = |position: usize| match trees.get(position) {
        Some(TokenTree::Punct(punct)) if "*+?".contains(punct.as_char()) => Some(punct.as_char()),
        _ => None,
    };
    match (operator(position), operator(position + 1)) {
        (_, Some(after)) if operator(position).is_none() => {
            ((trees.get(position).cloned(), after), position + 2)
        }
        (Some(operator), _) => ((None, operator), position + 1),
        // A separator of two tokens, such as `=>`.
        _ => {
            let end = (position..trees.len()).find(|at| operator(*at).is_some()).unwrap_or(trees.len());
            ((trees.get(position).cloned(), operator(end).unwrap_or('*')), end + 1)
        }
    }
}

/// Matches from the start, and returns what is left.
fn matches<'a>(
    matchers: &[Matcher],
    mut input: &'a [TokenTree],
    bindings: &mut Bindings,
) -> Option<&'a [TokenTree]> {
    for matcher in matchers {
        match matcher {
            Matcher::Token(wanted) => {
                let (first, rest) = input.split_first()?;
                (first.to_string() == wanted.to_string()).then_some(())?;
                input = rest;
            }
            Matcher::Group(delimiter, inner) => {
                let (TokenTree::Group(group), rest) = input.split_first()? else { return None };
                (group.delimiter() == *delimiter).then_some(())?;
                let trees: Vec<_> = group.stream().into_iter().collect();
                matches(inner, &trees, bindings)?.is_empty().then_some(())?;
                input = rest;
            }
            Matcher::Fragment(name, kind) => {
                let (tokens, rest) = fragment(kind, input)?;
                bindings.insert(name.clone(), Bound::One(tokens));
                input = rest;
            }
            Matcher::Repeat { of, separator, at_most_once, at_least_once } => {
                let mut rounds = Vec::new();
                while !input.is_empty() && (!at_most_once || rounds.is_empty()) {
                    let mut rest = input;
                    if let (Some(separator), false) = (separator, rounds.is_empty()) {
                        if rest[0].to_string() != separator.to_string() {
                            break;
                        }
                        rest = &rest[1..];
                    }
                    let mut round = Bindings::new();
                    match matches(of, rest, &mut round) {
                        Some(rest) if rest.len() < input.len() => input = rest,
                        _ => break,
                    }
                    rounds.push(round);
                }
                if *at_least_once && rounds.is_empty() {
                    return None;
                }
                bindings.insert(repeated_name(bindings), Bound::Many(rounds));
            }
        }
    }
    Some(input)
}

/// A repetition is bound to a name that no fragment has.
fn repeated_name(bindings: &Bindings) -> String {
    format!("$({})", bindings.len())
}

fn fragment<'a>(kind: &str, input: &'a [TokenTree]) -> Option<(TokenStream, &'a [TokenTree])> {
    let first = || input.split_first().map(|(tree, rest)| (TokenStream::from(tree.clone()), rest));
    match (kind, input.first()) {
        ("tt", Some(_)) | ("ident", Some(TokenTree::Ident(_))) | ("literal", Some(TokenTree::Literal(_))) => {
            first()
        }
        ("tt" | "ident", _) => None,
        _ => {
            let stream: TokenStream = input.iter().cloned().collect();
            let (tokens, left) = (|parser: ParseStream<'_>| {
                let tokens = parse_fragment(kind, parser)?;
                Ok((tokens, parser.parse::<TokenStream>()?))
            })
            .parse2(stream)
            .ok()?;
            let left = left.into_iter().count();
            Some((tokens, &input[input.len() - left..]))
        }
    }
}

fn parse_fragment(kind: &str, input: ParseStream<'_>) -> syn::Result<TokenStream> {
    macro_rules! parsed {
        ($what:ty) => {{
            let parsed: $what = input.parse()?;
            Ok(quote::quote!(#parsed))
        }};
    }
    match kind {
        "ty" => parsed!(syn::Type),
        "expr" | "expr_2021" => {
            let tokens: syn::Result<TokenStream> = parsed!(syn::Expr);
            Ok(TokenTree::Group(Group::new(Delimiter::None, tokens?)).into())
        }
        "path" => parsed!(syn::Path),
        "vis" => parsed!(Visibility),
        "block" => parsed!(syn::Block),
        "item" => parsed!(syn::Item),
        "meta" => parsed!(syn::Meta),
        "stmt" => parsed!(syn::Stmt),
        "lifetime" => parsed!(Lifetime),
        "literal" => parsed!(Lit),
        "pat" | "pat_param" => {
            let pattern = syn::Pat::parse_multi(input)?;
            Ok(quote::quote!(#pattern))
        }
        _ => Err(input.error("no kind of fragment that is known")),
    }
}

/// Puts what was matched in the place of its names; `scopes` from the outside in.
fn transcribe(tokens: TokenStream, scopes: &[&Bindings]) -> Option<TokenStream> {
    let trees: Vec<_> = tokens.into_iter().collect();
    let mut output = TokenStream::new();
    let mut position = 0;
    while let Some(tree) = trees.get(position) {
        position += 1;
        match tree {
            TokenTree::Punct(punct) if punct.as_char() == '$' => match trees.get(position) {
                Some(TokenTree::Ident(name)) if name == "crate" => {
                    output.extend([TokenTree::from(Ident::new("crate", name.span()))]);
                    position += 1;
                }
                Some(TokenTree::Ident(name)) => {
                    position += 1;
                    match look_up(&name.to_string(), scopes) {
                        Some(bound) => output.extend(bound.clone()),
                        None => output.extend([tree.clone(), TokenTree::Ident(name.clone())]),
                    }
                }
                Some(TokenTree::Group(group)) => {
                    let ((separator, _), end) = repeat(&trees, position + 1);
                    position = end;
                    let rounds = rounds(&group.stream(), scopes)?;
                    for (index, round) in rounds.iter().enumerate() {
                        if index > 0 {
                            output.extend(separator.clone());
                        }
                        let mut inner = scopes.to_vec();
                        inner.push(round);
                        output.extend(transcribe(group.stream(), &inner)?);
                    }
                }
                _ => output.extend([tree.clone()]),
            },
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), transcribe(group.stream(), scopes)?);
                inner.set_span(group.span());
                output.extend([TokenTree::Group(inner)]);
            }
            other => output.extend([other.clone()]),
        }
    }
    Some(output)
}

fn look_up<'a>(name: &str, scopes: &[&'a Bindings]) -> Option<&'a TokenStream> {
    scopes.iter().rev().find_map(|scope| match scope.get(name) {
        Some(Bound::One(tokens)) => Some(tokens),
        _ => None,
    })
}

/// The repetition of the matcher that binds a name that stands in `tokens`.
fn rounds<'a>(tokens: &TokenStream, scopes: &[&'a Bindings]) -> Option<&'a Vec<Bindings>> {
    let mut names = Vec::new();
    variables(tokens.clone(), &mut names);
    let repetitions = scopes.iter().rev().flat_map(|scope| scope.values()).filter_map(|bound| match bound {
        Bound::Many(rounds) => Some(rounds),
        Bound::One(_) => None,
    });
    let binds = |rounds: &Vec<Bindings>| {
        rounds.first().is_some_and(|round| names.iter().any(|name| binds(round, name)))
    };
    let all: Vec<_> = repetitions.collect();
    // Where none does, the repetition that would have matched nothing.
    all.iter().find(|rounds| binds(rounds)).or_else(|| all.iter().find(|rounds| rounds.is_empty())).copied()
}

fn binds(bindings: &Bindings, name: &str) -> bool {
    bindings.contains_key(name)
        || bindings.values().any(|bound| match bound {
            Bound::Many(rounds) => rounds.first().is_some_and(|round| binds(round, name)),
            Bound::One(_) => false,
        })
}

fn variables(tokens: TokenStream, names: &mut Vec<String>) {
    let trees: Vec<_> = tokens.into_iter().collect();
    for (position, tree) in trees.iter().enumerate() {
        match tree {
            TokenTree::Group(group) => variables(group.stream(), names),
            TokenTree::Ident(name) if position > 0 && is_punct(trees.get(position - 1), '$') => {
                names.push(name.to_string());
            }
            _ => {}
        }
    }
}
