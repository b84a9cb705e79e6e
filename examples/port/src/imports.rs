//! Makes `pyclass` and `pymethods` ours: by an import where the name is used bare, by its path elsewhere.

use std::collections::{BTreeMap, BTreeSet};

use quote::ToTokens;
use syn::{Item, ItemUse, UseTree};

use crate::analysis::View;
use crate::edits::Edits;
use crate::model::Marker;
use crate::names::{Owner, plain};
use crate::sources::{Place, Sources};

/// The name that the sources have for pyo3-gc.
pub(crate) const GC: &str = "pyo3_gc";

/// Edits for all modules of a view.
pub(crate) fn rewrite(view: &View<'_>, edits: &mut Edits) {
    let mut bare: BTreeMap<usize, BTreeSet<&str>> = BTreeMap::new();
    let classes = view.model.types.iter().filter_map(|ty| Some((ty.module, ty.class.as_ref()?)));
    let blocks = view.model.blocks.iter().filter_map(|block| Some((block.module, block.marker.as_ref()?)));
    for (module, marker) in classes.chain(blocks) {
        // A bare name that can't be followed comes from a macro's import or from PyO3's by another way.
        if marker.owner == Owner::Ours || (marker.owner == Owner::Unknown && marker.path.len() > 1) {
            continue;
        }
        let name = name_of(marker);
        let by_path = marker.path.len() > 1
            || marker.is_conditional
            || view.tree.modules[module].is_block
            || view.tree.is_in_definition(marker.at)
            || is_handed_on(view, module, name);
        if by_path {
            edits.replace(view.sources, marker.at, format!("{GC}::{name}"));
        } else {
            bare.entry(module).or_default().insert(name);
        }
    }
    for (module, names) in bare {
        import(view, module, &names, edits);
    }
}

fn name_of(marker: &Marker) -> &'static str {
    if marker.path.last().is_some_and(|name| name == "pyclass") { "pyclass" } else { "pymethods" }
}

/// In a `#[pymodule] mod`, a macro hands the imports on: ours beside a glob would be ambiguous (E0659). Its own glob over
/// PyO3's prelude is replaced; any other is beyond reach.
fn is_handed_on(view: &View<'_>, module: usize, name: &str) -> bool {
    let imports = &view.names.imports[module];
    let is_explicit = imports.iter().any(|import| import.name.as_deref() == Some(name));
    view.tree.modules[module].is_pymodule && !is_explicit && prelude(view, module).is_none()
}

/// Where a module has `use pyo3::prelude::*`, and nothing else in that line.
fn prelude(view: &View<'_>, module: usize) -> Option<Place> {
    let prelude = [view.krate.pyo3.clone(), "prelude".to_owned()];
    uses(view, module).into_iter().find_map(|item| {
        let mut path = Vec::new();
        let mut tree = &item.tree;
        while let UseTree::Path(step) = tree {
            path.push(plain(&step.ident));
            tree = &step.tree;
        }
        let UseTree::Path(first) = &item.tree else { return None };
        (path == prelude && matches!(tree, UseTree::Glob(_))).then(|| view.sources.place(first.ident.span()))
    })
}

fn uses<'a>(view: &'a View<'_>, module: usize) -> Vec<&'a ItemUse> {
    let items = view.tree.modules[module].items.iter();
    items
        .filter_map(|item| match item {
            Item::Use(item) => Some(item),
            _ => None,
        })
        .filter(|item| {
            let place = view.sources.extent(item);
            view.tree.call_at(place).is_none() && !view.tree.is_in_definition(place)
        })
        .collect()
}

fn import(view: &View<'_>, module: usize, names: &BTreeSet<&str>, edits: &mut Edits) {
    let sources = view.sources;
    let content = &view.tree.modules[module];
    let uses = uses(view, module);
    if content.is_pymodule {
        if let Some(place) = prelude(view, module) {
            // All of PyO3's prelude, with our two names.
            edits.replace(sources, place, GC);
            return;
        }
    }
    let list: Vec<_> = names.iter().copied().collect();
    let list = if let [name] = list[..] { name.to_owned() } else { format!("{{{}}}", list.join(", ")) };
    let mut line = format!("use {GC}::{list};");
    let mut anchor = None;
    let mut is_written = false;
    for item in &uses {
        let Removal { places, is_whole } = Removal::of(sources, item, names);
        if places.is_empty() {
            continue;
        }
        let vis = item.vis.to_token_stream().to_string();
        if !vis.is_empty() {
            line = format!("{} {line}", vis.replace(" (", "(").replace("( ", "(").replace(" )", ")"));
        }
        if is_whole && !is_written {
            let first = sources.place(item.use_token.span);
            let start = if vis.is_empty() { first.start } else { sources.extent(&item.vis).start };
            edits.replace(sources, Place { start, end: sources.extent(item).end, ..first }, line.clone());
            is_written = true;
        } else if is_whole {
            edits.delete(sources, sources.extent(item));
        } else {
            for place in places {
                edits.replace(sources, place, "");
            }
            anchor = Some(*item);
        }
    }
    if is_written {
        return;
    }
    let pyo3 = |item: &&&ItemUse| match &item.tree {
        UseTree::Path(step) => plain(&step.ident) == view.krate.pyo3,
        _ => false,
    };
    let anchor = anchor.or_else(|| uses.iter().rev().find(pyo3).copied()).or(uses.last().copied());
    if let Some(item) = anchor {
        let place = sources.extent(item);
        let indent = indent_of(sources, place);
        let mut text = String::new();
        for condition in item.attrs.iter().filter(|attribute| attribute.path().is_ident("cfg")) {
            text.extend(["\n", &indent, sources.text(sources.extent(condition))]);
        }
        text.extend(["\n", &indent, &line]);
        edits.insert(sources, place.file, place.end, text);
    } else if let Some(first) = content.items.first() {
        let place = sources.extent(first);
        let place = view.tree.call_at(place).unwrap_or(place);
        let indent = indent_of(sources, place);
        edits.insert(sources, place.file, place.start, format!("{line}\n\n{indent}"));
    }
}

/// Takes a name out of all imports.
pub(crate) fn remove(view: &View<'_>, name: &str, edits: &mut Edits) {
    let names = BTreeSet::from([name]);
    for item in (0..view.tree.modules.len()).flat_map(|module| uses(view, module)) {
        let Removal { places, is_whole } = Removal::of(view.sources, item, &names);
        for place in places {
            if is_whole {
                edits.delete(view.sources, place);
            } else {
                edits.replace(view.sources, place, "");
            }
        }
    }
}

/// Where the imports of a name stand.
pub(crate) fn places(view: &View<'_>, name: &str) -> Vec<Place> {
    let names = BTreeSet::from([name]);
    let items = (0..view.tree.modules.len()).flat_map(|module| uses(view, module));
    items.flat_map(|item| Removal::of(view.sources, item, &names).places).collect()
}

pub(crate) fn indent_of(sources: &Sources, place: Place) -> String {
    let text = &sources.files[place.file].text[..place.start];
    let line = &text[text.rfind('\n').map_or(0, |at| at + 1)..];
    line.chars().take_while(|character| character.is_whitespace()).collect()
}

/// What of a `use` brings PyO3's attributes.
struct Removal {
    /// Names in groups, each with its comma.
    places: Vec<Place>,
    is_whole: bool,
}

impl Removal {
    fn of(sources: &Sources, item: &ItemUse, names: &BTreeSet<&str>) -> Self {
        let mut places = Vec::new();
        let is_whole = Self::walk(sources, &item.tree, names, &mut places);
        if is_whole {
            places = vec![sources.extent(item)];
        }
        Self { places, is_whole }
    }

    /// Whether nothing of the tree is left.
    fn walk(sources: &Sources, tree: &UseTree, names: &BTreeSet<&str>, places: &mut Vec<Place>) -> bool {
        match tree {
            UseTree::Path(step) => Self::walk(sources, &step.tree, names, places),
            UseTree::Name(name) => names.contains(plain(&name.ident).as_str()),
            UseTree::Rename(rename) => names.contains(plain(&rename.rename).as_str()),
            UseTree::Glob(_) => false,
            UseTree::Group(group) => {
                let mut found = Vec::new();
                let elements: Vec<_> = group.items.pairs().collect();
                for (index, element) in elements.iter().enumerate() {
                    let mut inner = Vec::new();
                    if Self::walk(sources, element.value(), names, &mut inner) {
                        let place = sources.extent(element.value());
                        let next = elements.get(index + 1).map(|next| sources.extent(next.value()).start);
                        let end = next.unwrap_or_else(|| sources.extent(&element.to_token_stream()).end);
                        found.push((index, Place { end, ..place }));
                    } else {
                        places.extend(inner);
                    }
                }
                if found.len() == elements.len() {
                    return true;
                }
                // The last names take the comma in front of them along.
                let kept = (0..elements.len()).rev().find(|at| found.iter().all(|(index, _)| index != at));
                let kept_end = kept.map(|at| sources.extent(elements[at].value()).end);
                for (index, place) in found {
                    let start = match (kept, kept_end) {
                        (Some(kept), Some(end)) if index == kept + 1 => end,
                        _ => place.start,
                    };
                    places.push(Place { start, ..place });
                }
                false
            }
        }
    }
}
