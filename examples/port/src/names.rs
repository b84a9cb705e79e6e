//! What a name means in a module: whose attribute, whose type.

use std::collections::BTreeSet;

use syn::{Item, ItemUse, UseTree, Visibility};

use crate::project::Crate;
use crate::sources::{Module, Tree};

/// Paths that lead through each other, at most.
const MAX_DEPTH: usize = 12;

/// One name that a `use` brings, or all of a module.
pub(crate) struct Import {
    /// As it is written, with `::` in front as an empty segment.
    pub(crate) path: Vec<String>,
    /// What it is called here; `None` for a glob.
    pub(crate) name: Option<String>,
    is_public: bool,
}

/// Whose attribute a name is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Owner {
    PyO3,
    Ours,
    /// Both, by globs: rustc takes the first.
    Both,
    Unknown,
}

/// The names of all modules of a tree.
pub(crate) struct Names<'a> {
    krate: &'a Crate,
    pub(crate) imports: Vec<Vec<Import>>,
    modules: &'a [Module],
    /// `#[macro_use] extern crate pyo3;`
    is_macro_use: bool,
}

impl<'a> Names<'a> {
    pub(crate) fn of(krate: &'a Crate, tree: &'a Tree) -> Self {
        let imports = tree.modules.iter().map(|module| {
            let mut found = Vec::new();
            for item in &module.items {
                if let Item::Use(item) = item {
                    flatten(item, &mut found);
                }
            }
            found
        });
        let is_macro_use = tree.modules.iter().flat_map(|module| &module.items).any(|item| match item {
            Item::ExternCrate(item) => {
                item.ident == krate.pyo3 && crate::sources::attribute_named(&item.attrs, "macro_use")
            }
            _ => false,
        });
        Self { krate, imports: imports.collect(), modules: &tree.modules, is_macro_use }
    }

    /// Whose `pyclass` or `pymethods` an attribute with that path is.
    pub(crate) fn owner(&self, module: usize, path: &[String]) -> Owner {
        if let [name] = path {
            let found = self.attribute(module, name, 0);
            return match (found.contains(&true), found.contains(&false)) {
                (true, true) => Owner::Both,
                (true, false) => Owner::Ours,
                (false, true) => Owner::PyO3,
                (false, false) if self.is_macro_use => Owner::PyO3,
                (false, false) => Owner::Unknown,
            };
        }
        match self.absolute(module, path, 0) {
            Some(path) => self.owner_of_path(&path),
            None => Owner::Unknown,
        }
    }

    fn owner_of_path(&self, path: &[String]) -> Owner {
        match self.is_ours(path) {
            Some(true) => Owner::Ours,
            Some(false) => Owner::PyO3,
            None => Owner::Unknown,
        }
    }

    /// Whether a path of another crate leads into pyo3-gc, or into PyO3.
    fn is_ours(&self, path: &[String]) -> Option<bool> {
        let head = path.first()?;
        if self.krate.gc.as_ref() == Some(head) {
            Some(true)
        } else {
            (*head == self.krate.pyo3).then_some(false)
        }
    }

    /// Whose attributes a bare name can be: `true` is ours.
    fn attribute(&self, module: usize, name: &str, depth: usize) -> BTreeSet<bool> {
        let mut found = BTreeSet::new();
        if depth > MAX_DEPTH {
            return found;
        }
        let imports = &self.imports[module];
        for import in imports.iter().filter(|import| import.name.as_deref() == Some(name)) {
            let path = self.absolute(module, &import.path, depth + 1);
            found.extend(path.as_deref().and_then(|path| self.is_ours(path)));
        }
        if found.is_empty() {
            for import in imports.iter().filter(|import| import.name.is_none()) {
                found.extend(self.attribute_by_glob(module, import, name, depth));
            }
        }
        match self.modules[module].parent {
            Some(parent) if found.is_empty() && self.modules[module].is_block => {
                self.attribute(parent, name, depth + 1)
            }
            _ => found,
        }
    }

    fn attribute_by_glob(&self, module: usize, import: &Import, name: &str, depth: usize) -> BTreeSet<bool> {
        let Some(path) = self.absolute(module, &import.path, depth + 1) else { return BTreeSet::new() };
        if let Some(ours) = self.is_ours(&path) {
            let is_exporting = path.len() == 1 || (path.len() == 2 && path[1] == "prelude");
            return if is_exporting { BTreeSet::from([ours]) } else { BTreeSet::new() };
        }
        match self.module_at(&path) {
            Some(target) if target != module => {
                let sees_private = self.modules[module].path.starts_with(&self.modules[target].path);
                let is_seen = self.imports[target].iter().any(|import| import.is_public || sees_private);
                if is_seen { self.attribute(target, name, depth + 1) } else { BTreeSet::new() }
            }
            _ => BTreeSet::new(),
        }
    }

    /// The path from a crate's root: `crate::…` for this one's. `None` where it can't be known.
    pub(crate) fn absolute(&self, module: usize, path: &[String], depth: usize) -> Option<Vec<String>> {
        if depth > MAX_DEPTH {
            return None;
        }
        let (head, rest) = path.split_first()?;
        let under = |mut base: Vec<String>, rest: &[String]| {
            base.extend_from_slice(rest);
            self.follow(base, depth)
        };
        let root = |path: &[String]| [&["crate".to_owned()], path].concat();
        match head.as_str() {
            "" => Some(rest.to_vec()),
            "crate" => under(root(&[]), rest),
            "self" => under(root(&self.modules[module].path), rest),
            "super" => {
                let own = &self.modules[module].path;
                under(root(&own[..own.len().saturating_sub(1)]), rest)
            }
            _ => {
                let import = self.imports[module].iter().find(|import| import.name.as_ref() == Some(head));
                if let Some(import) = import.filter(|import| import.path != path) {
                    return under(self.absolute(module, &import.path, depth + 1)?, rest);
                }
                let here = root(&[&self.modules[module].path[..], std::slice::from_ref(head)].concat());
                if self.module_at(&here).is_some() || self.defines(module, head) {
                    return under(here, rest);
                }
                if self.krate.externs.contains(head) {
                    return Some(path.to_vec());
                }
                match self.modules[module].parent {
                    Some(parent) if self.modules[module].is_block => self.absolute(parent, path, depth + 1),
                    _ => self.absolute_by_glob(module, path, depth),
                }
            }
        }
    }

    /// A name that a glob over a module of this crate brings.
    fn absolute_by_glob(&self, module: usize, path: &[String], depth: usize) -> Option<Vec<String>> {
        let globs = self.imports[module].iter().filter(|import| import.name.is_none());
        globs
            .filter_map(|glob| self.module_at(&self.absolute(module, &glob.path, depth + 1)?))
            .filter(|target| *target != module)
            .find_map(|target| {
                let brings = self.defines(target, &path[0])
                    || self.imports[target].iter().any(|import| import.name.as_ref() == Some(&path[0]));
                if brings { self.absolute(target, path, depth + 1) } else { None }
            })
    }

    /// Goes on where a path of this crate leads to a `use`.
    fn follow(&self, path: Vec<String>, depth: usize) -> Option<Vec<String>> {
        if path[0] != "crate" {
            return Some(path);
        }
        for length in (1..path.len()).rev() {
            let Some(module) = self.module_at(&path[..length]) else { continue };
            let name = &path[length];
            if self.defines(module, name) {
                return Some(path);
            }
            let import = self.imports[module].iter().find(|import| import.name.as_ref() == Some(name));
            let Some(import) = import else { return Some(path) };
            let mut target = self.absolute(module, &import.path, depth + 1)?;
            target.extend_from_slice(&path[length + 1..]);
            return Some(target);
        }
        Some(path)
    }

    pub(crate) fn module_at(&self, path: &[String]) -> Option<usize> {
        let (head, rest) = path.split_first()?;
        (head == "crate").then_some(())?;
        self.modules.iter().position(|module| !module.is_block && module.path == rest)
    }

    fn defines(&self, module: usize, name: &str) -> bool {
        self.modules[module].items.iter().any(|item| match item {
            Item::Struct(item) => item.ident == name,
            Item::Enum(item) => item.ident == name,
            Item::Union(item) => item.ident == name,
            Item::Type(item) => item.ident == name,
            Item::Trait(item) => item.ident == name,
            _ => false,
        })
    }
}

fn flatten(item: &ItemUse, found: &mut Vec<Import>) {
    let is_public = !matches!(item.vis, Visibility::Inherited);
    let head = if item.leading_colon.is_some() { vec![String::new()] } else { Vec::new() };
    let mut pending = vec![(head, &item.tree)];
    while let Some((mut path, tree)) = pending.pop() {
        match tree {
            UseTree::Path(step) => {
                path.push(plain(&step.ident));
                pending.push((path, &step.tree));
            }
            UseTree::Name(name) if name.ident == "self" => {
                let name = path.last().cloned();
                found.push(Import { path, name, is_public });
            }
            UseTree::Name(name) => {
                path.push(plain(&name.ident));
                found.push(Import { path, name: Some(plain(&name.ident)), is_public });
            }
            UseTree::Rename(rename) => {
                if rename.ident != "self" {
                    path.push(plain(&rename.ident));
                }
                found.push(Import { path, name: Some(plain(&rename.rename)), is_public });
            }
            UseTree::Glob(_) => found.push(Import { path, name: None, is_public }),
            UseTree::Group(group) => pending.extend(group.items.iter().map(|tree| (path.clone(), tree))),
        }
    }
}

pub(crate) fn plain(ident: &syn::Ident) -> String {
    ident.to_string().trim_start_matches("r#").to_owned()
}
