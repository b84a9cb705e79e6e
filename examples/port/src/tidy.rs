//! What the hooks alone have used goes with them.

use std::str::FromStr;

use proc_macro2::{TokenStream, TokenTree};
use syn::{ImplItemFn, TraitItem};

use crate::analysis::View;
use crate::compiler::{Said, Spot};
use crate::edits::Edits;
use crate::fix::place_of;
use crate::hooks::{CLEAR, TRAVERSE};
use crate::imports;
use crate::model::TraitDef;
use crate::sources::Place;

/// Traits of the crate that have nothing but hooks, if nobody calls those any more, with all that implements them.
pub(crate) fn remove_helper_traits(view: &View<'_>, edits: &mut Edits) {
    let has_only_hooks = |definition: &&TraitDef| {
        let items = &definition.item.items;
        !items.is_empty()
            && items.iter().all(|item| match item {
                TraitItem::Fn(method) => method.sig.ident == TRAVERSE || method.sig.ident == CLEAR,
                _ => false,
            })
    };
    for definition in view.model.traits.iter().filter(has_only_hooks) {
        let name = definition.item.ident.to_string();
        let impls = view.model.blocks.iter().filter(|block| block.trait_name.as_ref() == Some(&name));
        let impls: Vec<_> = impls.map(|block| block.at).collect();
        let mut own = imports::places(view, &name);
        own.push(definition.at);
        own.extend(&impls);
        let is_used = (0..view.sources.files.len())
            .flat_map(|file| mentions(view, file, &name))
            .any(|place| !own.iter().any(|own| own.contains(place)));
        if !is_used {
            imports::remove(view, &name, edits);
            for place in impls.into_iter().chain([definition.at]) {
                edits.delete(view.sources, place);
            }
        }
    }
}

/// Where a file has a name.
fn mentions(view: &View<'_>, file: usize, name: &str) -> Vec<Place> {
    let Ok(tokens) = TokenStream::from_str(&view.sources.files[file].text) else { return Vec::new() };
    let mut found = Vec::new();
    let mut pending = vec![tokens];
    while let Some(tokens) = pending.pop() {
        for tree in tokens {
            match tree {
                TokenTree::Group(group) => pending.push(group.stream()),
                TokenTree::Ident(ident) if ident == name => {
                    let range = ident.span().byte_range();
                    found.push(Place { file, start: range.start, end: range.end, line: 0 });
                }
                _ => {}
            }
        }
    }
    found
}

/// Methods that nothing calls any more, now that the hooks are gone, and imports. `before` is what was said with them.
pub(crate) fn remove_unused(view: &View<'_>, said: &[Said], before: &[Said], edits: &mut Edits) {
    let warnings = |all: &'_ [Said], code: &str| -> Vec<Said> {
        all.iter().filter(|warning| !warning.is_error && warning.code == code).cloned().collect()
    };
    let names = |warning: &Said| -> Vec<String> {
        warning.message.split('`').skip(1).step_by(2).map(str::to_owned).collect()
    };
    let dead_before: Vec<_> = warnings(before, "dead_code").iter().flat_map(names).collect();
    for warning in warnings(said, "dead_code") {
        for method in warning.spots.iter().filter_map(|spot| method_at(view, spot)) {
            if !dead_before.contains(&method.sig.ident.to_string()) {
                edits.delete(view.sources, view.sources.extent(method));
            }
        }
    }
    let unused_before: Vec<_> = warnings(before, "unused_imports").iter().flat_map(names).collect();
    for warning in warnings(said, "unused_imports") {
        if !names(&warning).iter().any(|name| unused_before.contains(name)) {
            remove_imports(view, &warning, edits);
        }
    }
}

fn remove_imports(view: &View<'_>, warning: &Said, edits: &mut Edits) {
    for (path, range) in &warning.removals {
        let file = view
            .sources
            .files
            .iter()
            .position(|file| file.path.canonicalize().ok() == path.canonicalize().ok());
        let Some(file) = file else { continue };
        // rustc counts lines that end with a carriage return as if they didn't.
        let text = &view.sources.files[file].text;
        if text.contains('\r') || text.get(range.clone()).is_none() {
            continue;
        }
        let place = Place { file, start: range.start, end: range.end, line: 0 };
        if text[range.clone()].starts_with("use ") || text[range.clone()].starts_with("pub") {
            let end = range.start + text[range.clone()].trim_end().len();
            edits.delete(view.sources, Place { end, ..place });
        } else {
            edits.replace(view.sources, place, "");
        }
    }
}

fn method_at<'a>(view: &'a View<'_>, spot: &Spot) -> Option<&'a ImplItemFn> {
    let place = place_of(view, spot)?;
    let blocks = view.model.blocks.iter().filter(|block| block.trait_name.is_none());
    blocks
        .flat_map(crate::model::Block::methods)
        .find(|method| view.sources.place(method.sig.ident.span()).contains(place))
}
