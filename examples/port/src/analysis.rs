//! How each class of a crate stands with the garbage collector.

use std::collections::BTreeMap;

use crate::holds::{Holdings, Holds};
use crate::hooks::{CLEAR, Hook, TRAVERSE};
use crate::model::{Block, Marker, Model, TypeDef};
use crate::names::{Names, Owner};
use crate::owned::{is_undecided, shared_in};
use crate::project::Crate;
use crate::sources::{Place, Sources, Tree};
use crate::unvisited::Unvisited;
use anyhow::Result;
use serde::Serialize;
use syn::ImplItemFn;

/// The sources of a crate: a tree for its library, and one for each program.
pub(crate) struct Loaded<'a> {
    pub(crate) krate: &'a Crate,
    pub(crate) sources: Sources,
    pub(crate) trees: Vec<Tree>,
}

impl<'a> Loaded<'a> {
    pub(crate) fn of(krate: &'a Crate) -> Result<Self> {
        let mut sources = Sources::default();
        let trees = krate.roots.iter().map(|root| Tree::load(&mut sources, root)).collect::<Result<_>>()?;
        Ok(Self { krate, sources, trees })
    }

    pub(crate) fn views(&self) -> impl Iterator<Item = View<'_>> {
        self.trees.iter().map(|tree| {
            let names = Names::of(self.krate, tree);
            let model = Model::of(&self.sources, tree, &names);
            View { krate: self.krate, sources: &self.sources, tree, names, model }
        })
    }
}

/// What the sources of one tree say.
pub(crate) struct View<'a> {
    pub(crate) krate: &'a Crate,
    pub(crate) sources: &'a Sources,
    pub(crate) tree: &'a Tree,
    pub(crate) names: Names<'a>,
    pub(crate) model: Model,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize, Debug)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Status {
    /// pyo3-gc makes its hooks.
    Wired,
    /// `gc = false`, and no hooks.
    LeftAlone,
    HooksByHand,
    /// Owns no Python object.
    NeedsNone,
    /// May own one, in a type that can't be looked into.
    Unknown,
    NoHooks,
    /// `port` has hidden fields of it, or of what it is made of, and nobody has decided yet.
    Undecided,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize, Debug)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Kind {
    NoHooks,
    MissesFields,
    NeverRuns,
    NeverClears,
    Waits,
    SharedArc,
    Pyo3Attribute,
}

#[derive(Clone, Debug)]
pub(crate) struct Finding {
    pub(crate) kind: Kind,
    pub(crate) at: Place,
    pub(crate) message: String,
}

pub(crate) struct Standing<'a> {
    pub(crate) class: &'a TypeDef,
    pub(crate) marker: &'a Marker,
    pub(crate) holds: Holds,
    pub(crate) status: Status,
    pub(crate) findings: Vec<Finding>,
}

impl View<'_> {
    /// Of all classes, in the order of the sources.
    pub(crate) fn standings(&self) -> Vec<Standing<'_>> {
        let holdings = Holdings::new(&self.model, &self.names);
        let classes = self.model.types.iter().filter_map(|ty| Some((ty, ty.class.as_ref()?)));
        let mut standings: Vec<_> =
            classes.map(|(class, marker)| self.standing(class, marker, &holdings)).collect();
        self.find_shared(&mut standings, &holdings);
        standings.sort_by_key(|standing| standing.class.ident_at);
        standings
    }

    fn standing<'a>(
        &'a self,
        class: &'a TypeDef,
        marker: &'a Marker,
        holdings: &Holdings<'_>,
    ) -> Standing<'a> {
        let holds = holdings.of_type(class);
        let blocks: Vec<_> = self.model.blocks_of(class).collect();
        let is_methods = |block: &&&Block| block.marker.is_some();
        let traverse = blocks.iter().filter(is_methods).find_map(|block| block.hook(TRAVERSE));
        let is_ours = marker.owner == Owner::Ours && !marker.is_left_alone();
        let has_block_of_ours = blocks.iter().any(|block| {
            block.marker.as_ref().is_some_and(|marker| marker.owner == Owner::Ours && !marker.is_left_alone())
        });
        let mut findings = Vec::new();
        let is_undecided = is_undecided(class, holdings);
        let status = if is_ours && is_undecided {
            Status::Undecided
        } else if traverse.is_some() {
            Status::HooksByHand
        } else if (is_ours || class.derives) && has_block_of_ours && holds != Holds::No {
            Status::Wired
        } else if marker.owner == Owner::Ours && marker.is_left_alone() {
            Status::LeftAlone
        } else {
            match &holds {
                Holds::No => Status::NeedsNone,
                // The compiler asks for hooks where they are needed.
                Holds::Maybe(_) if is_ours => Status::NeedsNone,
                Holds::Maybe(_) => Status::Unknown,
                Holds::Yes(_) => Status::NoHooks,
            }
        };
        if let Some(traverse) = traverse {
            let clear = blocks.iter().filter(is_methods).find_map(|block| block.hook(CLEAR));
            let traverse_at = self.sources.place(traverse.sig.ident.span());
            let hook = Hook::of(&self.model, class, traverse, self.sources);
            self.find_missing(class, traverse, &hook, holdings, &mut findings);
            find_waits(TRAVERSE, &hook, &mut findings);
            match clear {
                Some(clear) => find_waits(CLEAR, &Hook::of(&self.model, class, clear, self.sources), &mut findings),
                None if !marker.has("frozen") && has_block_of_ours => {}
                None if !marker.has("frozen") => findings.push(Finding {
                    kind: Kind::NeverClears,
                    at: traverse_at,
                    message: "has no `__clear__`, so that a cycle through objects of such classes alone isn't collected"
                        .to_owned(),
                }),
                None => {}
            }
        } else if let Some((block, hook)) =
            blocks.iter().find_map(|block| Some((block, block.hook(TRAVERSE).or_else(|| block.hook(CLEAR))?)))
        {
            let has_hooks = status == Status::Wired;
            if !has_hooks && holds != Holds::No && block.trait_name.is_none() {
                let message = format!(
                    "`{}` stands outside of `#[pymethods]`: it is an ordinary method, which the collector never calls",
                    hook.sig.ident
                );
                findings.push(Finding {
                    kind: Kind::NeverRuns,
                    at: self.sources.place(hook.sig.ident.span()),
                    message,
                });
            }
        }
        if let (Status::NoHooks, Holds::Yes(by)) = (status, &holds) {
            let message =
                format!("owns Python references (`{by}`) and has no hooks: a cycle through it leaks");
            findings.push(Finding { kind: Kind::NoHooks, at: class.ident_at, message });
        }
        Standing { class, marker, holds, status, findings }
    }

    fn find_missing(
        &self,
        class: &TypeDef,
        traverse: &ImplItemFn,
        hook: &Hook,
        holdings: &Holdings<'_>,
        findings: &mut Vec<Finding>,
    ) {
        let missed = class.fields.iter().filter(|field| {
            matches!(holdings.of_field(field, class), Holds::Yes(_)) && !hook.reaches(&field.name)
        });
        let mut missed: Vec<_> = missed.map(|field| format!("`{}`", field.name)).collect();
        let inside = Unvisited::of(&self.model, &self.names, holdings, traverse);
        let reached =
            class.fields.iter().filter(|field| !field.is_excluded && hook.reaches.contains(&field.name));
        missed
            .extend(reached.flat_map(|field| inside.in_field(field, class)).map(|path| format!("`{path}`")));
        if !missed.is_empty() {
            let at = self.sources.place(traverse.sig.ident.span());
            let message = format!("`__traverse__` doesn't visit {}", missed.join(", "));
            findings.push(Finding { kind: Kind::MissesFields, at, message });
        }
    }

    /// What classes visit through an `Arc` that others of them hold as well.
    fn find_shared(&self, standings: &mut [Standing<'_>], holdings: &Holdings<'_>) {
        let mut holders: BTreeMap<String, Vec<(usize, Place)>> = BTreeMap::new();
        for (index, standing) in standings.iter().enumerate() {
            let blocks = self.model.blocks_of(standing.class).filter(|block| block.marker.is_some());
            let Some(traverse) = blocks.into_iter().find_map(|block| block.hook(TRAVERSE)) else { continue };
            let hook = Hook::of(&self.model, standing.class, traverse, self.sources);
            for field in standing.class.fields.iter().filter(|field| hook.reaches(&field.name)) {
                for shared in shared_in(&field.ty, standing.class, holdings) {
                    let places = holders.entry(shared).or_default();
                    if !places.iter().any(|(holder, _)| *holder == index) {
                        places.push((index, self.sources.place(traverse.sig.ident.span())));
                    }
                }
            }
        }
        for (shared, places) in holders.iter().filter(|(_, places)| places.len() > 1) {
            let names: Vec<_> =
                places.iter().map(|(index, _)| format!("`{}`", standings[*index].class.name)).collect();
            let message = format!(
                "{} visit the contents of an `{shared}`: with two owners, one reference is visited twice, and a live object \
                 may be destroyed",
                names.join(" and ")
            );
            for (index, at) in places {
                let finding = Finding { kind: Kind::SharedArc, at: *at, message: message.clone() };
                standings[*index].findings.push(finding);
            }
        }
    }

    /// Where PyO3's attributes are used and ours are meant, in a crate that depends on pyo3-gc.
    pub(crate) fn foreign_attributes(&self) -> Vec<Finding> {
        let Some(gc) = &self.krate.gc else { return Vec::new() };
        let mut findings = Vec::new();
        let classes = self.model.types.iter().filter(|ty| !ty.derives);
        let markers = classes.clone().filter_map(|ty| ty.class.as_ref());
        let blocks = self.model.blocks.iter().filter(|block| {
            let mut named = self.model.types.iter().filter(|ty| ty.name == block.target);
            // A class with hooks by hand may have PyO3's own blocks.
            !named.any(|ty| ty.derives || ty.class.as_ref().is_some_and(Marker::is_left_alone))
        });
        let markers = markers.chain(blocks.filter_map(|block| block.marker.as_ref()));
        for marker in markers {
            let name = marker.path.last().map_or("", String::as_str);
            let message = match marker.owner {
                Owner::Both => format!(
                    "`{name}` comes from both `{}` and `{gc}` by globs, of which rustc takes the first: import one prelude only",
                    self.krate.pyo3
                ),
                Owner::PyO3 if marker.path.len() > 1 => {
                    format!(
                        "`#[{}]` is PyO3's: write `#[{gc}::{name}]`",
                        marker.path.join("::").trim_start_matches("::")
                    )
                }
                Owner::PyO3 => {
                    let place = if marker.is_conditional { " in `cfg_attr`" } else { "" };
                    format!("`{name}`{place} is PyO3's: `use {gc}::{{pyclass, pymethods}};` is missing")
                }
                Owner::Ours | Owner::Unknown => continue,
            };
            findings.push(Finding { kind: Kind::Pyo3Attribute, at: marker.at, message });
        }
        findings.sort_by_key(|finding| finding.at);
        findings
    }
}

fn find_waits(name: &str, hook: &Hook, findings: &mut Vec<Finding>) {
    if let Some((what, at)) = hook.waits.first() {
        let message = format!(
            "`{name}` waits: {what}; a collection that starts while it is locked hangs, or panics where it is borrowed"
        );
        findings.push(Finding { kind: Kind::Waits, at: *at, message });
    }
}
