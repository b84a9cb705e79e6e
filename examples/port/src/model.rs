//! Types, classes and their blocks, as the sources of a crate show them.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{
    Attribute, Fields, GenericParam, Generics, ImplItem, ImplItemFn, Item, ItemImpl, ItemTrait, Meta, Token,
    Type,
};

use crate::names::{Names, Owner, plain};
use crate::sources::{Place, Sources, Tree};

pub(crate) const DERIVE: &str = "PyGcTraversable";
/// How the reason of a field begins that `port` has hidden, and a comment of its, so that both can be searched for.
pub(crate) const MARK: &str = "port: ";

/// An attribute of PyO3's name, and whose it is.
#[derive(Clone, Debug)]
pub(crate) struct Marker {
    pub(crate) owner: Owner,
    pub(crate) path: Vec<String>,
    /// The path in the source.
    pub(crate) at: Place,
    pub(crate) arguments: Option<TokenStream>,
    /// The whole `#[…]`.
    pub(crate) whole: Place,
    /// In a `cfg_attr`.
    pub(crate) is_conditional: bool,
}

impl Marker {
    /// Whether the arguments have this word at their top.
    pub(crate) fn has(&self, word: &str) -> bool {
        let arguments = self.arguments.clone().into_iter().flatten();
        arguments.into_iter().any(|tree| matches!(tree, TokenTree::Ident(ident) if ident == word))
    }

    /// `gc = false`.
    pub(crate) fn is_left_alone(&self) -> bool {
        self.has("gc")
    }
}

pub(crate) struct Field {
    /// As the derive's messages call it: `name`, `0`, `Variant.name`.
    pub(crate) name: String,
    pub(crate) ty: Type,
    pub(crate) at: Place,
    /// Says itself that it isn't to be visited.
    pub(crate) is_excluded: bool,
    /// `port` has hidden it, and nobody has decided yet.
    pub(crate) is_undecided: bool,
}

pub(crate) struct TypeDef {
    pub(crate) name: String,
    pub(crate) module: usize,
    pub(crate) at: Place,
    pub(crate) ident_at: Place,
    /// Where an attribute can be put in front of it: behind its documentation and attributes.
    pub(crate) head_at: Place,
    pub(crate) parameters: Vec<String>,
    pub(crate) fields: Vec<Field>,
    pub(crate) is_enum: bool,
    pub(crate) derives: bool,
    /// Its `#[cfg(…)]`s.
    pub(crate) conditions: Vec<Place>,
    /// `#[pyclass]`, if it is one.
    pub(crate) class: Option<Marker>,
}

pub(crate) struct Block {
    /// The last name of the type that it is for.
    pub(crate) target: String,
    pub(crate) module: usize,
    pub(crate) at: Place,
    /// `#[pymethods]`, if it is one.
    pub(crate) marker: Option<Marker>,
    pub(crate) trait_name: Option<String>,
    pub(crate) item: ItemImpl,
}

impl Block {
    pub(crate) fn methods(&self) -> impl Iterator<Item = &ImplItemFn> {
        self.item.items.iter().filter_map(|item| match item {
            ImplItem::Fn(method) => Some(method),
            _ => None,
        })
    }

    /// The method that Python knows by that name.
    pub(crate) fn hook(&self, name: &str) -> Option<&ImplItemFn> {
        self.methods().find(|method| python_name(method) == name)
    }
}

pub(crate) struct TraitDef {
    pub(crate) item: ItemTrait,
    pub(crate) at: Place,
}

pub(crate) struct Alias {
    pub(crate) name: String,
    pub(crate) module: usize,
    pub(crate) parameters: Vec<String>,
    pub(crate) ty: Type,
}

#[derive(Default)]
pub(crate) struct Model {
    pub(crate) types: Vec<TypeDef>,
    pub(crate) blocks: Vec<Block>,
    pub(crate) aliases: Vec<Alias>,
    pub(crate) traits: Vec<TraitDef>,
}

impl Model {
    pub(crate) fn of(sources: &Sources, tree: &Tree, names: &Names<'_>) -> Self {
        let mut model = Self::default();
        for (module, content) in tree.modules.iter().enumerate() {
            for item in &content.items {
                model.item(item, module, sources, names);
            }
        }
        model
    }

    fn item(&mut self, item: &Item, module: usize, sources: &Sources, names: &Names<'_>) {
        let define =
            |attrs: &[Attribute], ident: &syn::Ident, head: TokenStream, generics: &Generics| TypeDef {
                name: plain(ident),
                module,
                at: sources.extent(item),
                ident_at: sources.place(ident.span()),
                head_at: sources.extent(&head),
                parameters: parameters(generics),
                fields: Vec::new(),
                is_enum: false,
                derives: attrs.iter().any(names_derive),
                conditions: attrs
                    .iter()
                    .filter(|attribute| attribute.path().is_ident("cfg"))
                    .map(|attribute| sources.extent(attribute))
                    .collect(),
                class: marker(attrs, "pyclass", module, sources, names),
            };
        match item {
            Item::Struct(item) => {
                let (vis, token) = (&item.vis, &item.struct_token);
                let mut found = define(&item.attrs, &item.ident, quote::quote!(#vis #token), &item.generics);
                fields(&item.fields, None, sources, &mut found.fields);
                self.types.push(found);
            }
            Item::Enum(item) => {
                let (vis, token) = (&item.vis, &item.enum_token);
                let mut found = define(&item.attrs, &item.ident, quote::quote!(#vis #token), &item.generics);
                found.is_enum = true;
                for variant in &item.variants {
                    fields(&variant.fields, Some(&plain(&variant.ident)), sources, &mut found.fields);
                }
                self.types.push(found);
            }
            Item::Type(item) => self.aliases.push(Alias {
                name: plain(&item.ident),
                module,
                parameters: parameters(&item.generics),
                ty: (*item.ty).clone(),
            }),
            Item::Trait(found) => {
                self.traits.push(TraitDef { item: found.clone(), at: sources.extent(item) });
            }
            Item::Impl(item) => {
                let Some(target) = last_name(&item.self_ty) else { return };
                let trait_name = item.trait_.as_ref().and_then(|(_, path, _)| path.segments.last());
                self.blocks.push(Block {
                    target,
                    module,
                    at: sources.extent(item),
                    marker: marker(&item.attrs, "pymethods", module, sources, names),
                    trait_name: trait_name.map(|segment| segment.ident.to_string()),
                    item: item.clone(),
                });
            }
            _ => {}
        }
    }

    /// The `#[pymethods]` blocks of a class.
    pub(crate) fn blocks_of<'a>(&'a self, class: &'a TypeDef) -> impl Iterator<Item = &'a Block> {
        self.blocks.iter().filter(move |block| block.target == class.name && self.is_for(block, class))
    }

    /// Whether a block with the name of a type is for that one: the nearest of that name.
    fn is_for(&self, block: &Block, class: &TypeDef) -> bool {
        let named = self.types.iter().filter(|ty| ty.name == class.name);
        let count = named.clone().count();
        count == 1 || block.module == class.module || !named.clone().any(|ty| ty.module == block.module)
    }
}

/// The names of what is not a lifetime.
fn parameters(generics: &Generics) -> Vec<String> {
    let name = |parameter: &GenericParam| match parameter {
        GenericParam::Type(parameter) => Some(plain(&parameter.ident)),
        GenericParam::Const(parameter) => Some(plain(&parameter.ident)),
        GenericParam::Lifetime(_) => None,
    };
    generics.params.iter().filter_map(name).collect()
}

fn fields(fields: &Fields, variant: Option<&str>, sources: &Sources, found: &mut Vec<Field>) {
    for (index, field) in fields.iter().enumerate() {
        let member = field.ident.as_ref().map_or_else(|| index.to_string(), plain);
        let name = variant.map_or_else(|| member.clone(), |variant| format!("{variant}.{member}"));
        // In front of the visibility and behind the documentation and the attributes.
        let (vis, ident, ty) = (&field.vis, &field.ident, &field.ty);
        let at = sources.extent(&quote::quote!(#vis #ident #ty));
        let is_excluded = field.attrs.iter().any(excludes);
        let is_undecided = field.attrs.iter().any(|attribute| {
            let text = attribute.meta.to_token_stream().to_string();
            attribute.path().is_ident("pyo3_gc") && text.contains(&format!("hidden = \"{MARK}"))
        });
        found.push(Field { name, ty: ty.clone(), at, is_excluded, is_undecided });
    }
}

/// `gc = false`, `skip`, `hidden`.
fn excludes(attribute: &Attribute) -> bool {
    let words = match &attribute.meta {
        Meta::List(list) if list.path.is_ident("pyo3") => &["gc"][..],
        Meta::List(list) if list.path.is_ident("pyo3_gc") => &["skip", "hidden"],
        _ => return false,
    };
    let Meta::List(list) = &attribute.meta else { return false };
    let mut tokens = list.tokens.clone().into_iter().map(|tree| tree.to_string()).peekable();
    while let Some(token) = tokens.next() {
        if words.contains(&token.as_str()) {
            // `gc = true` is the default, spelled out.
            return !(token == "gc" && tokens.nth(1).as_deref() == Some("true"));
        }
    }
    false
}

/// The attribute of that name on an item, conditional or not.
fn marker(
    attributes: &[Attribute],
    name: &str,
    module: usize,
    sources: &Sources,
    names: &Names<'_>,
) -> Option<Marker> {
    attributes.iter().find_map(|attribute| {
        let whole = sources.extent(attribute);
        let found = |meta: &Meta, is_conditional| {
            let path = meta.path();
            (path.segments.last()?.ident == name).then_some(())?;
            let mut segments: Vec<_> = path.segments.iter().map(|segment| plain(&segment.ident)).collect();
            if path.leading_colon.is_some() {
                segments.insert(0, String::new());
            }
            let owner = names.owner(module, &segments);
            let arguments = match meta {
                Meta::List(list) => Some(list.tokens.clone()),
                _ => None,
            };
            Some(Marker { owner, path: segments, at: sources.extent(path), arguments, whole, is_conditional })
        };
        match &attribute.meta {
            Meta::List(list) if list.path.is_ident("cfg_attr") => {
                let metas =
                    Punctuated::<Meta, Token![,]>::parse_terminated.parse2(list.tokens.clone()).ok()?;
                metas.iter().skip(1).find_map(|meta| found(meta, true))
            }
            meta => found(meta, false),
        }
    })
}

/// Whether the attribute is a `#[derive(…)]`, conditional or not, that names our derive.
fn names_derive(attribute: &Attribute) -> bool {
    let is_derive = attribute.path().is_ident("derive") || attribute.path().is_ident("cfg_attr");
    (is_derive && mentions(attribute.meta.to_token_stream(), DERIVE))
        || attribute.path().segments.last().is_some_and(|last| last.ident == "traversable")
}

pub(crate) fn mentions(tokens: TokenStream, name: &str) -> bool {
    tokens.into_iter().any(|tree| match tree {
        TokenTree::Ident(ident) => ident == name,
        TokenTree::Group(group) => mentions(group.stream(), name),
        _ => false,
    })
}

pub(crate) fn last_name(ty: &Type) -> Option<String> {
    match ty {
        Type::Path(path) => path.path.segments.last().map(|segment| plain(&segment.ident)),
        Type::Group(group) => last_name(&group.elem),
        Type::Paren(paren) => last_name(&paren.elem),
        _ => None,
    }
}

/// The method's name, or that in its `#[pyo3(name = "…")]`.
fn python_name(method: &ImplItemFn) -> String {
    let given =
        method.attrs.iter().filter(|attribute| attribute.path().is_ident("pyo3")).find_map(|attribute| {
            let mut name = None;
            let read = attribute.parse_nested_meta(|meta| {
                if meta.path.is_ident("name") {
                    name = Some(meta.value()?.parse::<syn::LitStr>()?.value());
                } else if meta.input.peek(Token![=]) {
                    meta.value()?.parse::<syn::Expr>()?;
                }
                Ok(())
            });
            name.filter(|_| read.is_ok())
        });
    given.unwrap_or_else(|| method.sig.ident.unraw().to_string())
}
