//! What hand-written hooks do: which fields they reach, what they wait for, and what else they do.

use std::collections::BTreeSet;

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::{Block, Expr, ExprField, ExprMethodCall, FnArg, ImplItemFn, Member, Pat, Signature, TraitItem};

use crate::holds::written;
use crate::model::{Model, TypeDef, mentions};
use crate::names::plain;
use crate::sources::{Place, Sources};

pub(crate) const TRAVERSE: &str = "__traverse__";
pub(crate) const CLEAR: &str = "__clear__";

/// Methods without arguments that wait for a lock, or panic where something is borrowed.
#[rustfmt::skip]
const WAITS: &[&str] = &[
    "blocking_lock", "blocking_read", "blocking_write", "borrow", "borrow_mut", "lock",
    "lock_py_attached", "read", "upgradable_read", "write",
];

/// Methods by which a hook gets at what it visits.
#[rustfmt::skip]
const VISITING: &[&str] = &[
    "as_deref", "as_ref", "as_slice", "call", "chain", "clone", "copied", "deref", "edge_indices",
    "edge_references", "edge_weight", "edge_weights", "expect", "flat_map", "flatten", "for_each",
    "get", "into_iter", "iter", "keys", "map", "node_indices", "node_references", "node_weight",
    "node_weights", "ok", "raw_edges", "raw_nodes", "transpose", "traverse", "try_borrow",
    "try_for_each", "try_lock", "try_read", "unwrap", "values", "weight", "zip",
];

/// Methods by which a hook lets go of what it clears.
#[rustfmt::skip]
const CLEARING: &[&str] = &[
    "None", "__clear__", "as_deref_mut", "as_mut", "as_ref", "clear", "drain", "expect", "for_each",
    "get_mut", "iter", "iter_mut", "map", "ok", "take", "truncate", "try_borrow_mut", "try_lock",
    "try_write", "unwrap", "values", "values_mut",
];

/// Functions that either calls.
const FUNCTIONS: &[&str] =
    &["Ok", "Some", "Err", "clear", "default", "drop", "new", "replace", "take", "traverse"];

/// How deep a hook's helpers are followed.
const MAX_DEPTH: usize = 5;

#[derive(Default, Debug)]
pub(crate) struct Hook {
    /// The fields that it names, by their names in Rust, with the variant's in an enum.
    pub(crate) reaches: BTreeSet<String>,
    /// It hands itself on to something that can't be seen, or to the trait.
    pub(crate) reaches_all: bool,
    /// Where it waits, and for what.
    pub(crate) waits: Vec<(String, Place)>,
    /// What it does besides visiting and clearing.
    pub(crate) more: Vec<String>,
}

impl Hook {
    pub(crate) fn of(model: &Model, class: &TypeDef, method: &ImplItemFn, sources: &Sources) -> Self {
        let name = method.sig.ident.to_string();
        let is_clear = name.contains("clear");
        let visitors = visitor(&method.sig).filter(|_| !is_clear).into_iter().collect();
        let mut reader =
            Reader { model, class, sources, is_clear, helpers: Vec::new(), visitors, hook: Self::default() };
        reader.visit_block(&method.block);
        reader.hook
    }

    pub(crate) fn reaches(&self, field: &str) -> bool {
        self.reaches_all || self.reaches.contains(field)
    }
}

struct Reader<'a> {
    model: &'a Model,
    class: &'a TypeDef,
    sources: &'a Sources,
    is_clear: bool,
    /// Names of the helpers that are being read.
    helpers: Vec<String>,
    /// What the hook and its helpers call the visitor.
    visitors: Vec<String>,
    hook: Hook,
}

impl Reader<'_> {
    /// A method of the class itself, which is part of the hook: of that trait, or its own.
    fn own_method(&self, name: &str, of: Option<&str>) -> Option<(Signature, Block)> {
        let blocks = self.model.blocks.iter().filter(|block| block.target == self.class.name);
        let blocks = blocks.filter(|block| of.is_none() || block.trait_name.as_deref() == of);
        let method = blocks.flat_map(super::model::Block::methods).find(|method| method.sig.ident == name);
        let own = method.map(|method| (method.sig.clone(), method.block.clone()));
        own.or_else(|| {
            let definition = self
                .model
                .traits
                .iter()
                .find(|definition| definition.item.ident == of.unwrap_or_default())?;
            definition.item.items.iter().find_map(|item| match item {
                TraitItem::Fn(method) if method.sig.ident == name => {
                    Some((method.sig.clone(), method.default.clone()?))
                }
                _ => None,
            })
        })
    }

    fn follow(&mut self, name: &str, (signature, block): (Signature, Block)) {
        if self.helpers.len() < MAX_DEPTH && !self.helpers.iter().any(|helper| helper == name) {
            self.helpers.push(name.to_owned());
            self.visitors.extend(visitor(&signature));
            self.visit_block(&block);
            self.helpers.pop();
        }
    }

    /// Whether the visitor is handed on.
    fn takes_visitor<'e>(&self, arguments: impl IntoIterator<Item = &'e Expr>) -> bool {
        arguments
            .into_iter()
            .any(|argument| self.visitors.iter().any(|visitor| mentions(argument.to_token_stream(), visitor)))
    }

    /// Where a method of the crate by that name waits, if all of that name do.
    fn waits_in(&self, name: &str) -> Option<String> {
        let methods = self.model.blocks.iter().flat_map(super::model::Block::methods);
        let mut named = methods.filter(|method| method.sig.ident == name).peekable();
        named.peek()?;
        let waits: Option<Vec<_>> = named.map(|method| first_wait(&method.block)).collect();
        let (what, span) = waits?.into_iter().next()?;
        let file = &self.sources.files[self.sources.place(span).file].path;
        let file = file.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
        Some(format!("`{name}()`, which calls {what} in {file}"))
    }

    fn reach(&mut self, member: &Member) {
        let name = match member {
            Member::Named(name) => plain(name),
            Member::Unnamed(index) => index.index.to_string(),
        };
        self.hook.reaches.insert(name);
    }

    /// What a pattern takes out of the class.
    fn pattern(&mut self, path: &syn::Path, member: String) {
        let last = path.segments.last().map(|segment| plain(&segment.ident)).unwrap_or_default();
        let name =
            if last == "Self" || last == self.class.name { member } else { format!("{last}.{member}") };
        self.hook.reaches.insert(name);
    }

    fn macro_call(&mut self, tokens: TokenStream) {
        let trees: Vec<_> = tokens.into_iter().collect();
        for (position, tree) in trees.iter().enumerate() {
            match tree {
                TokenTree::Group(group) => self.macro_call(group.stream()),
                TokenTree::Ident(ident) if ident == "self" => match trees.get(position + 2) {
                    Some(field) if trees[position + 1].to_string() == "." => {
                        self.hook.reaches.insert(field.to_string());
                    }
                    _ => self.hook.reaches_all = true,
                },
                _ => {}
            }
        }
    }
}

impl<'ast> Visit<'ast> for Reader<'_> {
    fn visit_expr_field(&mut self, field: &'ast ExprField) {
        if is_self(&field.base) {
            self.reach(&field.member);
        }
        visit::visit_expr_field(self, field);
    }

    fn visit_pat(&mut self, pattern: &'ast Pat) {
        match pattern {
            Pat::Struct(found) => {
                for field in found.fields.iter().filter(|field| !matches!(*field.pat, Pat::Wild(_))) {
                    self.pattern(&found.path, field.member.to_token_stream().to_string());
                }
            }
            Pat::TupleStruct(found) => {
                for (index, _) in
                    found.elems.iter().enumerate().filter(|(_, inner)| !matches!(inner, Pat::Wild(_)))
                {
                    self.pattern(&found.path, index.to_string());
                }
            }
            _ => {}
        }
        visit::visit_pat(self, pattern);
    }

    fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
        let name = call.method.to_string();
        let takes_visitor = self.takes_visitor(&call.args);
        if WAITS.contains(&name.as_str()) && call.args.len() <= usize::from(name == "lock_py_attached") {
            let place = self.sources.place(call.method.span());
            self.hook.waits.push((format!("`{name}()`"), place));
        } else if is_self(&call.receiver) {
            match self.own_method(&name, None) {
                Some(method) => self.follow(&name, method),
                None => self.hook.reaches_all = true,
            }
        } else if let (Some(what), false) = (self.waits_in(&name), call.args.len() > 1) {
            self.hook.waits.push((what, self.sources.place(call.method.span())));
            self.hook.more.push(format!("calls `{name}`"));
        } else {
            let usual = if self.is_clear { CLEARING } else { VISITING };
            let with_arguments = self.is_clear && name == "clear" && !call.args.is_empty();
            if (!usual.contains(&name.as_str()) && !takes_visitor) || with_arguments {
                self.hook.more.push(format!("calls `{name}`"));
            }
        }
        if call.args.iter().any(is_self) {
            self.hook.reaches_all = true;
        }
        visit::visit_expr_method_call(self, call);
    }

    fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
        let path: Vec<_> = match &*call.func {
            Expr::Path(path) => path.path.segments.iter().map(|segment| plain(&segment.ident)).collect(),
            _ => Vec::new(),
        };
        let name = path.last().cloned().unwrap_or_default();
        let attaches = ["attach", "with_gil"].contains(&name.as_str());
        let mut is_usual = FUNCTIONS.contains(&name.as_str()) || (attaches && self.is_clear);
        if call.args.iter().any(is_self) {
            let of = path.len().checked_sub(2).map(|at| path[at].as_str());
            let of = of.filter(|of| *of != "Self" && *of != self.class.name);
            match self.own_method(&name, of) {
                Some(method) => {
                    is_usual = true;
                    self.follow(&path.join("::"), method);
                }
                None => self.hook.reaches_all = true,
            }
        }
        if !is_usual && !self.takes_visitor(&call.args) {
            self.hook.more.push(format!("calls `{}`", written(&call.func)));
        }
        visit::visit_expr_call(self, call);
    }

    fn visit_expr_assign(&mut self, assignment: &'ast syn::ExprAssign) {
        if !self.is_clear {
            self.hook.more.push(format!("sets `{}`", written(&assignment.left)));
        }
        visit::visit_expr_assign(self, assignment);
    }

    fn visit_expr_unsafe(&mut self, block: &'ast syn::ExprUnsafe) {
        self.hook.more.push("has an `unsafe` block".to_owned());
        visit::visit_expr_unsafe(self, block);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        self.hook.more.push(format!("calls `{}!`", written(&call.path)));
        self.macro_call(call.tokens.clone());
    }
}

/// The name of the last parameter of a hook or of its helper.
fn visitor(signature: &Signature) -> Option<String> {
    match signature.inputs.last()? {
        FnArg::Typed(argument) => match &*argument.pat {
            Pat::Ident(ident) => Some(ident.ident.to_string()),
            _ => None,
        },
        FnArg::Receiver(_) => None,
    }
}

/// `self`, also borrowed.
fn is_self(expression: &Expr) -> bool {
    match expression {
        Expr::Path(path) => path.path.is_ident("self") || path.path.is_ident("slf"),
        Expr::Reference(reference) => is_self(&reference.expr),
        Expr::Paren(paren) => is_self(&paren.expr),
        Expr::Unary(unary) => matches!(unary.op, syn::UnOp::Deref(_)) && is_self(&unary.expr),
        _ => false,
    }
}

/// The first place in a method at which it waits.
fn first_wait(block: &Block) -> Option<(String, Span)> {
    struct Waits(Option<(String, Span)>);
    impl<'ast> Visit<'ast> for Waits {
        fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
            let name = call.method.to_string();
            if self.0.is_none() && call.args.is_empty() && WAITS.contains(&name.as_str()) {
                self.0 = Some((format!("`{name}()`"), call.method.span()));
            }
            visit::visit_expr_method_call(self, call);
        }
    }
    let mut waits = Waits(None);
    waits.visit_block(block);
    waits.0
}
