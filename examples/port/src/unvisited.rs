//! What a hook leaves out inside of a field that it reaches: owners behind names that neither it nor its helpers mention.

use std::collections::{BTreeMap, BTreeSet};
use std::mem;
use std::rc::Rc;

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{Expr, ExprCall, ExprMethodCall, FieldValue, ImplItem, ImplItemFn, Member, Type};

use crate::holds::{Holdings, Holds, Local, arguments_of};
use crate::known::{CONTAINERS, LEAVES, OWNERS};
use crate::model::{Block, Field, Model, TypeDef};
use crate::names::{Names, plain};

/// Methods that are called without being named.
const IMPLICIT: &[&str] = &["deref", "deref_mut", "index", "into_iter", "next"];

/// Methods that no hook visits by, though one may call others of their names.
const UNRELATED: &[&str] = &["call", "clone", "clone_ref", "default", "from", "into", "new"];

/// How deep helpers call each other, at most: by their names alone, more would be all of the crate.
const MAX_CALLS: usize = 3;

/// Types within types, at most.
const MAX_DEPTH: usize = 24;

pub(crate) struct Unvisited<'a> {
    model: &'a Model,
    names: &'a Names<'a>,
    holdings: &'a Holdings<'a>,
    /// Whatever the hook mentions, and the methods that it may call.
    mentioned: BTreeSet<String>,
}

/// What the parameters of a type stand for.
type Scope = Rc<BTreeMap<String, Bound>>;

#[derive(Clone)]
struct Bound {
    ty: Type,
    module: usize,
    scope: Scope,
}

impl<'a> Unvisited<'a> {
    pub(crate) fn of(
        model: &'a Model,
        names: &'a Names<'a>,
        holdings: &'a Holdings<'a>,
        hook: &ImplItemFn,
    ) -> Self {
        Self { model, names, holdings, mentioned: mentioned(model, hook) }
    }

    /// The paths of the owners in a field that nothing mentions.
    pub(crate) fn in_field(&self, field: &Field, class: &TypeDef) -> Vec<String> {
        let bound = Bound { ty: field.ty.clone(), module: class.module, scope: Scope::default() };
        let mut owners = Vec::new();
        self.walk(&bound, &mut vec![field.name.clone()], &mut Vec::new(), &mut owners);
        let is_number = |name: &str| name.chars().all(|character| character.is_ascii_digit());
        let is_missed = |path: &Vec<String>| {
            // A field without a name of its own is reached by way of the variant or the field before it.
            let names: Vec<_> = path[1..].iter().flat_map(|name| name.split('.')).collect();
            names.iter().rfind(|name| !is_number(name)).is_some_and(|name| !self.mentioned.contains(*name))
        };
        let mut missed: Vec<_> =
            owners.iter().filter(|path| is_missed(path)).map(|path| path.join(".")).collect();
        missed.sort();
        missed.dedup();
        missed
    }

    fn walk(
        &self,
        at: &Bound,
        path: &mut Vec<String>,
        inside: &mut Vec<String>,
        owners: &mut Vec<Vec<String>>,
    ) {
        if path.len() > MAX_DEPTH {
            return;
        }
        let again = |ty: &Type| Bound { ty: ty.clone(), ..at.clone() };
        match &at.ty {
            Type::Array(array) => self.walk(&again(&array.elem), path, inside, owners),
            Type::Slice(slice) => self.walk(&again(&slice.elem), path, inside, owners),
            Type::Paren(paren) => self.walk(&again(&paren.elem), path, inside, owners),
            Type::Group(group) => self.walk(&again(&group.elem), path, inside, owners),
            Type::Tuple(tuple) => {
                for ty in &tuple.elems {
                    self.walk(&again(ty), path, inside, owners);
                }
            }
            Type::Path(ty) if ty.qself.is_none() => self.walk_path(at, &ty.path, path, inside, owners),
            _ => {}
        }
    }

    fn walk_path(
        &self,
        at: &Bound,
        ty: &syn::Path,
        path: &mut Vec<String>,
        inside: &mut Vec<String>,
        owners: &mut Vec<Vec<String>>,
    ) {
        let segments: Vec<_> = ty.segments.iter().map(|segment| plain(&segment.ident)).collect();
        let (Some(last), Some(name)) = (ty.segments.last(), segments.last()) else { return };
        if let Some(bound) = at.scope.get(&segments[0]) {
            match self.associated(bound, &segments[1..]) {
                Some(ty) => self.walk(&ty, path, inside, owners),
                None if segments.len() == 1 => self.walk(bound, path, inside, owners),
                None => {}
            }
            return;
        }
        let arguments: Vec<_> = arguments_of(&last.arguments)
            .map(|ty| Bound { ty: ty.clone(), module: at.module, scope: at.scope.clone() })
            .collect();
        let scope = |parameters: &[String]| {
            Scope::new(parameters.iter().cloned().zip(arguments.iter().cloned()).collect())
        };
        let absolute = self.names.absolute(at.module, &segments, 0);
        match self.holdings.local(at.module, &segments, absolute.as_deref()) {
            Some(Local::Type(index)) => {
                let definition = &self.model.types[index];
                if inside.contains(&definition.name) {
                    return;
                }
                inside.push(definition.name.clone());
                for field in definition.fields.iter().filter(|field| !field.is_excluded) {
                    path.push(field.name.clone());
                    let scope = scope(&definition.parameters);
                    let bound = Bound { ty: field.ty.clone(), module: definition.module, scope };
                    self.walk(&bound, path, inside, owners);
                    path.pop();
                }
                inside.pop();
            }
            Some(Local::Alias(index)) => {
                let alias = &self.model.aliases[index];
                let bound =
                    Bound { ty: alias.ty.clone(), module: alias.module, scope: scope(&alias.parameters) };
                self.walk(&bound, path, inside, owners);
            }
            None if LEAVES.contains(&name.as_str()) => {}
            None if OWNERS.contains(&name.as_str()) => owners.push(path.clone()),
            None if CONTAINERS.contains(&name.as_str()) => {
                for argument in &arguments {
                    self.walk(argument, path, inside, owners);
                }
            }
            // Of another crate: its arguments are what it owns.
            None => {
                if matches!(self.holdings.of(&at.ty, at.module, &[]), Holds::Yes(_)) {
                    owners.push(path.clone());
                }
            }
        }
    }

    /// `P::Shared`, where what `P` stands for implements a trait with such a type.
    fn associated(&self, bound: &Bound, rest: &[String]) -> Option<Bound> {
        let [name] = rest else { return None };
        let target = self.holdings.definition(&bound.ty, bound.module)?;
        let blocks = self.model.blocks.iter().filter(|block| block.target == target.name);
        let mut found = blocks.filter(|block| block.trait_name.is_some()).flat_map(|block| {
            block.item.items.iter().filter_map(move |item| match item {
                ImplItem::Type(item) if item.ident == name => Some((block.module, item.ty.clone())),
                _ => None,
            })
        });
        let (module, ty) = found.next()?;
        Some(Bound { ty, module, scope: Scope::default() })
    }
}

/// The fields and variants that a method names, and those that it may call: of the crate, by that name, with as many arguments.
fn mentioned(model: &Model, hook: &ImplItemFn) -> BTreeSet<String> {
    let mut mentions = Mentions::default();
    mentions.visit_block(&hook.block);
    mentions.calls.extend(IMPLICIT.iter().map(|name| ((*name).to_owned(), 0)));
    let mut read: BTreeSet<(String, usize)> = BTreeSet::new();
    // What Python calls, a hook doesn't.
    let blocks = model.blocks.iter().filter(|block| block.marker.is_none());
    for _ in 0..MAX_CALLS {
        let calls: Vec<_> =
            mem::take(&mut mentions.calls).into_iter().filter(|call| read.insert(call.clone())).collect();
        let is_called = |method: &&ImplItemFn| {
            let receives = usize::from(method.sig.receiver().is_some());
            let arguments = method.sig.inputs.len() - receives;
            let is_named = |(name, count): &(String, usize)| method.sig.ident == name && arguments == *count;
            calls.iter().any(is_named) && !UNRELATED.iter().any(|name| method.sig.ident == name)
        };
        for method in blocks.clone().flat_map(Block::methods).filter(is_called) {
            mentions.visit_block(&method.block);
        }
    }
    mentions.names
}

#[derive(Default)]
struct Mentions {
    names: BTreeSet<String>,
    /// Each with the number of its arguments.
    calls: BTreeSet<(String, usize)>,
}

impl<'ast> Visit<'ast> for Mentions {
    fn visit_member(&mut self, member: &'ast Member) {
        if let Member::Named(name) = member {
            self.names.insert(plain(name));
        }
    }

    /// What is built is not what is visited.
    fn visit_field_value(&mut self, field: &'ast FieldValue) {
        self.visit_expr(&field.expr);
    }

    /// Variants in patterns, and what is called by its path.
    fn visit_path(&mut self, path: &'ast syn::Path) {
        // Not a variable, which may have the name of a field.
        if path.segments.len() > 1 {
            self.names.extend(path.segments.iter().map(|segment| plain(&segment.ident)));
        }
    }

    fn visit_pat_tuple_struct(&mut self, pattern: &'ast syn::PatTupleStruct) {
        self.names.extend(pattern.path.segments.iter().map(|segment| plain(&segment.ident)));
        visit::visit_pat_tuple_struct(self, pattern);
    }

    fn visit_pat_struct(&mut self, pattern: &'ast syn::PatStruct) {
        self.names.extend(pattern.path.segments.iter().map(|segment| plain(&segment.ident)));
        visit::visit_pat_struct(self, pattern);
    }

    fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
        self.calls.insert((plain(&call.method), call.args.len()));
        visit::visit_expr_method_call(self, call);
    }

    fn visit_expr_call(&mut self, call: &'ast ExprCall) {
        if let Expr::Path(path) = &*call.func {
            let name = path.path.segments.last().map(|segment| plain(&segment.ident)).unwrap_or_default();
            // With and without `self` among them.
            self.calls.insert((name.clone(), call.args.len()));
            self.calls.insert((name, call.args.len().saturating_sub(1)));
        }
        visit::visit_expr_call(self, call);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        collect(call.tokens.clone(), &mut self.names);
    }
}

fn collect(tokens: TokenStream, found: &mut BTreeSet<String>) {
    for tree in tokens {
        match tree {
            TokenTree::Ident(ident) => {
                found.insert(plain(&ident));
            }
            TokenTree::Group(group) => collect(group.stream(), found),
            _ => {}
        }
    }
}
