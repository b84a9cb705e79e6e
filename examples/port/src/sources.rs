//! The files of a crate, and what stands in them: found as rustc finds it, from a root by its `mod`s.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::{fs, mem};

use anyhow::{Context, Result, bail};
use proc_macro2::{Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::{Attribute, Expr, Item, ItemMacro, ItemMod, Lit, Meta, Stmt};

use crate::macros::Rules;

/// Macros of other crates that make no classes, or only of exceptions.
#[rustfmt::skip]
const KNOWN_MACROS: &[&str] = &[
    "assert_impl_all", "assert_not_impl_any", "bitflags", "const_assert", "create_exception",
    "define_stub_info_gatherer", "dyn_traversable", "import_exception", "import_exception_bound",
    "include_bytes", "lazy_static", "leaf", "pyobject_native_static_type_object",
    "pyobject_native_type", "pyobject_native_type_core", "pyobject_native_type_info",
    "pyobject_native_type_named", "pyobject_subclassable_native_type", "static_assertions", "submit",
    "task_local", "thread_local",
];

/// How deep macros may call each other.
const MAX_EXPANSIONS: usize = 64;

/// Where something stands: a file, and bytes in it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Place {
    pub(crate) file: usize,
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) line: usize,
}

impl Place {
    pub(crate) fn contains(&self, other: Self) -> bool {
        self.file == other.file && self.start <= other.start && other.end <= self.end
    }
}

#[derive(Default)]
pub(crate) struct Sources {
    pub(crate) files: Vec<File>,
    /// What a span calls its file.
    names: HashMap<String, usize>,
}

pub(crate) struct File {
    pub(crate) path: PathBuf,
    pub(crate) text: String,
}

/// A module, or a block of a function that has items of its own.
pub(crate) struct Module {
    pub(crate) path: Vec<String>,
    pub(crate) parent: Option<usize>,
    pub(crate) file: usize,
    /// What stands in it, and what the crate's macros make there.
    pub(crate) items: Vec<Item>,
    pub(crate) is_block: bool,
    /// `#[pymodule] mod`, whose imports a macro hands on.
    pub(crate) is_pymodule: bool,
}

/// The modules of one root of a crate.
#[derive(Default)]
pub(crate) struct Tree {
    pub(crate) modules: Vec<Module>,
    /// Calls of macros that can't be looked into.
    pub(crate) unseen: Vec<(String, Place)>,
    /// By name, each with the file that it stands in.
    rules: HashMap<String, Vec<(usize, Rules)>>,
    /// Where the crate's macros are defined, and where they are called.
    definitions: Vec<Place>,
    calls: Vec<Place>,
    visited: HashSet<PathBuf>,
}

impl Sources {
    pub(crate) fn place(&self, span: Span) -> Place {
        let range = span.byte_range();
        let file = self.names.get(&span.file()).copied().unwrap_or_default();
        Place { file, start: range.start, end: range.end, line: span.start().line }
    }

    /// From the first token of something to its last.
    pub(crate) fn extent(&self, of: &impl ToTokens) -> Place {
        let mut tokens = of.to_token_stream().into_iter();
        let first = tokens.next().map_or_else(Span::call_site, |tree| tree.span());
        let last = tokens.last().map_or(first, |tree| tree.span());
        let (first, last) = (self.place(first), self.place(last));
        // What a macro has put together may end in another file.
        let end = if first.file == last.file && last.end >= first.start { last.end } else { first.end };
        Place { end, ..first }
    }

    pub(crate) fn text(&self, place: Place) -> &str {
        &self.files[place.file].text[place.start..place.end]
    }

    fn read(&mut self, path: &Path) -> Result<(usize, syn::File)> {
        let text = fs::read_to_string(path).with_context(|| format!("can't read {}", path.display()))?;
        self.parse(path, text)
    }

    fn parse(&mut self, path: &Path, text: String) -> Result<(usize, syn::File)> {
        let failed = |at: proc_macro2::LineColumn, error: &dyn std::fmt::Display| {
            anyhow::anyhow!(
                "{}:{}:{}: can't be read as Rust: {error}",
                path.display(),
                at.line,
                at.column + 1
            )
        };
        // Blanks, so that all else keeps its place.
        let without_shebang = match text.lines().next() {
            Some(line) if line.starts_with("#!") && !line.starts_with("#![") => {
                text.replacen(line, &" ".repeat(line.len()), 1)
            }
            _ => text.clone(),
        };
        let tokens =
            TokenStream::from_str(&without_shebang).map_err(|error| failed(error.span().start(), &error))?;
        let file = self.files.len();
        if let Some(first) = tokens.clone().into_iter().next() {
            self.names.insert(first.span().file(), file);
        }
        let parsed = syn::parse2(tokens).map_err(|error| failed(error.span().start(), &error))?;
        self.files.push(File { path: path.to_owned(), text });
        Ok((file, parsed))
    }
}

impl Tree {
    pub(crate) fn load(sources: &mut Sources, root: &Path) -> Result<Self> {
        let mut tree = Self::default();
        let folder = root.parent().context("a source file has no folder")?;
        tree.file(sources, root, Vec::new(), None, folder, false)?;
        tree.expand(sources)?;
        tree.find_blocks();
        Ok(tree)
    }

    fn file(
        &mut self,
        sources: &mut Sources,
        path: &Path,
        name: Vec<String>,
        parent: Option<usize>,
        folder: &Path,
        is_pymodule: bool,
    ) -> Result<()> {
        if !self.visited.insert(path.to_owned()) {
            return Ok(());
        }
        let (file, parsed) = sources.read(path)?;
        let module =
            self.add(Module { path: name, parent, file, items: Vec::new(), is_block: false, is_pymodule });
        self.items(sources, module, parsed.items, folder)
    }

    fn add(&mut self, module: Module) -> usize {
        self.modules.push(module);
        self.modules.len() - 1
    }

    /// Puts items into a module, and makes modules of those that are.
    fn items(&mut self, sources: &mut Sources, module: usize, items: Vec<Item>, folder: &Path) -> Result<()> {
        for item in items {
            match item {
                Item::Mod(inner) => self.module(sources, module, inner, folder)?,
                Item::Macro(call) if call.mac.path.is_ident("macro_rules") => {
                    self.definitions.push(sources.extent(&call));
                    if let Some(name) = &call.ident {
                        let file = sources.place(name.span()).file;
                        let rules = Rules::parse(call.mac.tokens.clone());
                        self.rules.entry(name.to_string()).or_default().push((file, rules));
                    }
                }
                Item::Macro(call) if last_segment(&call) == "cfg_if" => {
                    for tokens in braced(&call.mac.tokens) {
                        let parsed: syn::File = syn::parse2(tokens)?;
                        self.items(sources, module, parsed.items, folder)?;
                    }
                }
                item => self.modules[module].items.push(item),
            }
        }
        Ok(())
    }

    fn module(&mut self, sources: &mut Sources, parent: usize, item: ItemMod, folder: &Path) -> Result<()> {
        let name = item.ident.to_string().trim_start_matches("r#").to_owned();
        let mut path = self.modules[parent].path.clone();
        path.push(name.clone());
        let is_pymodule = attribute_named(&item.attrs, "pymodule");
        let given = item.attrs.iter().find_map(path_attribute);
        let inner = folder.join(&name);
        if let Some((_, items)) = item.content {
            let file = self.modules[parent].file;
            let inner = given.map_or(inner, |given| folder.join(given));
            let parent = Some(parent);
            let module =
                self.add(Module { path, parent, file, items: Vec::new(), is_block: false, is_pymodule });
            return self.items(sources, module, items, &inner);
        }
        let from_file = sources.files[self.modules[parent].file].path.parent().map(Path::to_owned);
        let candidates = match given {
            Some(given) => {
                vec![(from_file.unwrap_or_default().join(&given), folder.join(given).with_file_name(""))]
            }
            None => vec![(folder.join(format!("{name}.rs")), inner.clone()), (inner.join("mod.rs"), inner)],
        };
        match candidates.into_iter().find(|(file, _)| file.is_file()) {
            Some((file, folder)) => self.file(sources, &file, path, Some(parent), &folder, is_pymodule),
            // Left out of this build, or made by a build script.
            None if item.attrs.iter().any(is_conditional) => Ok(()),
            None => {
                let place = sources.place(item.ident.span());
                let file = sources.files[place.file].path.display();
                bail!("{file}:{}: there is no file for `mod {name}`", place.line)
            }
        }
    }

    /// Puts what the crate's macros make in the place of their calls.
    fn expand(&mut self, sources: &mut Sources) -> Result<()> {
        let mut module = 0;
        while module < self.modules.len() {
            for _ in 0..MAX_EXPANSIONS {
                let before = mem::take(&mut self.modules[module].items);
                let (calls, others): (Vec<_>, Vec<_>) =
                    before.into_iter().partition(|item| matches!(item, Item::Macro(_)));
                self.modules[module].items = others;
                if calls.is_empty() {
                    break;
                }
                for call in calls {
                    let Item::Macro(call) = call else { continue };
                    self.expand_call(sources, module, &call)?;
                }
            }
            module += 1;
        }
        Ok(())
    }

    fn expand_call(&mut self, sources: &mut Sources, module: usize, call: &ItemMacro) -> Result<()> {
        let name = last_segment(call);
        self.calls.push(sources.extent(call));
        let file = sources.place(call.mac.path.segments[0].ident.span()).file;
        let expanded = self.rules.get(&name).map(|rules| {
            // Several files may each have a macro of that name.
            let (here, elsewhere): (Vec<_>, Vec<_>) = rules.iter().partition(|(at, _)| *at == file);
            let mut rules = here.into_iter().chain(elsewhere);
            rules.find_map(|(_, rules)| syn::parse2::<syn::File>(rules.expand(&call.mac.tokens)?).ok())
        });
        match expanded {
            Some(Some(parsed)) => {
                let folder = sources.files[self.modules[module].file].path.with_file_name("");
                self.items(sources, module, parsed.items, &folder)?;
            }
            _ if KNOWN_MACROS.contains(&name.as_str()) => {}
            _ => self.unseen.push((name, sources.place(call.mac.path.segments[0].ident.span()))),
        }
        Ok(())
    }

    /// Whether it stands in the body of a macro of the crate.
    pub(crate) fn is_in_definition(&self, place: Place) -> bool {
        self.definitions.iter().any(|definition| definition.contains(place))
    }

    /// The call of a macro that it stands in.
    pub(crate) fn call_at(&self, place: Place) -> Option<Place> {
        let calls = self.calls.iter().filter(|call| call.contains(place) && !self.is_in_definition(**call));
        calls.copied().max_by_key(|call| call.end - call.start)
    }

    /// Items in the bodies of functions.
    fn find_blocks(&mut self) {
        for module in 0..self.modules.len() {
            let mut blocks = Blocks::default();
            self.modules[module].items.iter().for_each(|item| blocks.visit_item(item));
            for items in blocks.0 {
                let Module { path, file, .. } = &self.modules[module];
                let (path, file, parent) = (path.clone(), *file, Some(module));
                self.add(Module { path, parent, file, items, is_block: true, is_pymodule: false });
            }
        }
    }
}

#[derive(Default)]
struct Blocks(Vec<Vec<Item>>);

impl<'a> Visit<'a> for Blocks {
    fn visit_block(&mut self, block: &'a syn::Block) {
        let items = block.stmts.iter().filter_map(|statement| match statement {
            Stmt::Item(item) => Some(item.clone()),
            _ => None,
        });
        let items: Vec<_> = items.collect();
        if items.iter().any(|item| matches!(item, Item::Struct(_) | Item::Enum(_) | Item::Impl(_))) {
            self.0.push(items);
        }
        visit::visit_block(self, block);
    }
}

fn last_segment(call: &ItemMacro) -> String {
    call.mac.path.segments.last().map(|segment| segment.ident.to_string()).unwrap_or_default()
}

fn braced(tokens: &TokenStream) -> Vec<TokenStream> {
    let group = |tree| match tree {
        TokenTree::Group(group) if group.delimiter() == proc_macro2::Delimiter::Brace => Some(group.stream()),
        _ => None,
    };
    tokens.clone().into_iter().filter_map(group).collect()
}

/// Whether one of the attributes has that name, by whatever path.
pub(crate) fn attribute_named(attributes: &[Attribute], name: &str) -> bool {
    attributes.iter().any(|attribute| attribute.path().segments.last().is_some_and(|last| last.ident == name))
}

fn is_conditional(attribute: &Attribute) -> bool {
    attribute.path().is_ident("cfg") || attribute.path().is_ident("cfg_attr")
}

fn path_attribute(attribute: &Attribute) -> Option<String> {
    match &attribute.meta {
        Meta::NameValue(value) if value.path.is_ident("path") => match &value.value {
            Expr::Lit(literal) => match &literal.lit {
                Lit::Str(path) => Some(path.value()),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}
