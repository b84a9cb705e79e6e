//! Tokens → entries of an attribute, `key` or `key = value`, and the forms that values have.

use std::fmt::Display;

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Ident, LitBool, LitStr, Path, Token, Type, TypePath, WherePredicate};

/// `key` or `key = value`, between two commas.
pub(crate) struct Entry {
    pub(crate) key: Ident,
    pub(crate) value: Value,
}

/// What follows a key, and where to point if it isn't there.
pub(crate) struct Value {
    key: Span,
    tokens: Option<TokenStream>,
}

impl Value {
    /// A mistake in the value, at the key if there is none.
    fn error(&self, message: impl Display) -> syn::Error {
        match &self.tokens {
            Some(tokens) if !tokens.is_empty() => syn::Error::new_spanned(tokens, message),
            _ => syn::Error::new(self.key, message),
        }
    }
}

/// Reads one entry; what is wrong inside of its value is for the key to say.
pub(crate) fn entry(input: ParseStream<'_>) -> syn::Result<Entry> {
    let key = Ident::parse_any(input)
        .map_err(|error| syn::Error::new(error.span(), "expected a key, with or without `= value`"))?;
    let tokens = if input.is_empty() {
        None
    } else if input.parse::<Option<Token![=]>>()?.is_some() {
        Some(input.parse()?)
    } else {
        return Err(input.error(format_args!("expected `=` or `,` after `{key}`")));
    };
    let value = Value { key: key.span(), tokens };
    Ok(Entry { key, value })
}

/// What stands between the commas of an attribute's arguments, not counting those between `<` and `>`.
pub(crate) fn split_at_commas(tokens: TokenStream) -> Vec<TokenStream> {
    let tokens: Vec<_> = tokens.into_iter().collect();
    // A `<` that nothing closes is no bracket.
    split(&tokens, true).unwrap_or_else(|| split(&tokens, false).unwrap_or_default())
}

/// `None` where there are brackets that nothing closes.
fn split(tokens: &[TokenTree], has_brackets: bool) -> Option<Vec<TokenStream>> {
    let mut parts = vec![TokenStream::new()];
    let mut depth = 0_usize;
    let mut after_dash = false;
    for token in tokens {
        let character = if let TokenTree::Punct(punct) = token { punct.as_char() } else { ' ' };
        match character {
            '<' if has_brackets => depth += 1,
            // Not that of an arrow, nor one too many.
            '>' if !after_dash => depth = depth.saturating_sub(1),
            _ => {}
        }
        after_dash = character == '-';
        if character == ',' && depth == 0 {
            parts.push(TokenStream::new());
        } else {
            parts.last_mut()?.extend([token.clone()]);
        }
    }
    let parts = parts.into_iter().filter(|part| !part.is_empty()).map(ungroup);
    (depth == 0).then(|| parts.collect())
}

/// The tokens, or what is in them if they are one group without delimiters: a `macro_rules!` fragment, such as
/// `$key:meta`, hands over that.
pub(crate) fn ungroup(tokens: TokenStream) -> TokenStream {
    let mut trees = tokens.clone().into_iter();
    match (trees.next(), trees.next()) {
        (Some(TokenTree::Group(group)), None) if group.delimiter() == Delimiter::None => {
            ungroup(group.stream())
        }
        _ => tokens,
    }
}

pub(crate) fn flag(key: &str, value: &Value) -> syn::Result<()> {
    match value.tokens {
        None => Ok(()),
        Some(_) => Err(value.error(format_args!("`{key}` takes no value: write `#[pyo3_gc({key})]`"))),
    }
}

pub(crate) fn boolean(key: &str, attribute: &str, value: &Value) -> syn::Result<bool> {
    let usage = format!(
        "`{key}` takes a bare `true` or `false`: write `#[{attribute}({key} = false)]` or `#[{attribute}({key} = true)]`"
    );
    parse::<LitBool>(value, &usage).map(|literal| literal.value)
}

pub(crate) fn hidden(value: &Value) -> syn::Result<String> {
    let usage = "`hidden` takes a reason in quotes: `#[pyo3_gc(hidden = \"a closure of the library's, which it can't show\")]`";
    let reason: LitStr = parse(value, usage)?;
    match reason.value().trim() {
        "" => Err(value.error(usage)),
        reason => Ok(reason.to_owned()),
    }
}

pub(crate) fn bound(value: &Value) -> syn::Result<Vec<WherePredicate>> {
    let usage = "`bound` takes where-predicates in quotes: `#[pyo3_gc(bound = \"T: PyGcTraversable\")]`";
    let parser = Punctuated::<WherePredicate, Token![,]>::parse_terminated;
    quoted(value, usage, parser).map(|predicates| predicates.into_iter().collect())
}

pub(crate) fn krate(value: &Value) -> syn::Result<Path> {
    let usage = "`crate` takes a path in quotes: `#[pyo3_gc(crate = \"my_reexport::pyo3_gc\")]`";
    quoted(value, usage, Path::parse_mod_style)
}

pub(crate) fn with(value: &Value) -> syn::Result<Type> {
    let usage = "`with` takes a type, without quotes, that implements `PyGcTraverseAs` for the field's type: \
                 `#[pyo3_gc(with = MyStandIn)]`";
    let ty = parse(value, usage)?;
    // What rustc says of a module ("expected type") has no remedy.
    let is_module = |path: &TypePath| {
        path.path.segments.last().is_some_and(|last| {
            last.arguments.is_none() && last.ident.unraw().to_string().starts_with(char::is_lowercase)
        })
    };
    match &ty {
        Type::Path(path) if !is_module(path) => Ok(ty),
        Type::Array(_) | Type::Tuple(_) | Type::Paren(_) | Type::Group(_) => Ok(ty),
        _ => Err(value.error(usage)),
    }
}

/// What clearing does with a whole value: `true` for its `Default` in its place, `false` for nothing.
pub(crate) fn clear_whole(value: &Value) -> syn::Result<bool> {
    let usage = "`clear` takes `default` or `false` here: `#[pyo3_gc(clear = default)]` puts the type's `Default` in the place of \
                 the whole value, `#[pyo3_gc(clear = false)]` leaves it alone";
    let word: Ident = parse_with(value, usage, Ident::parse_any)?;
    match word.to_string().as_str() {
        "default" => Ok(true),
        "false" => Ok(false),
        _ => Err(value.error(usage)),
    }
}

pub(crate) fn parse<T: syn::parse::Parse>(value: &Value, usage: &str) -> syn::Result<T> {
    parse_with(value, usage, T::parse)
}

/// Reads the value of a key; whatever is wrong with it, the answer is how to write it.
fn parse_with<T>(
    value: &Value,
    usage: &str,
    parser: fn(ParseStream<'_>) -> syn::Result<T>,
) -> syn::Result<T> {
    let tokens = value.tokens.clone().unwrap_or_default();
    parser.parse2(tokens).map_err(|_| value.error(usage))
}

/// Reads what stands in quotes. A mistake in there is reported at the literal, all the more with how to write it.
fn quoted<T>(value: &Value, usage: &str, parser: fn(ParseStream<'_>) -> syn::Result<T>) -> syn::Result<T> {
    let literal: LitStr = parse(value, usage)?;
    literal
        .parse_with(parser)
        .map_err(|error| syn::Error::new(literal.span(), format_args!("{usage}; this is none: {error}")))
}
