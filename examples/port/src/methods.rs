//! Hooks by hand: those that only visit and clear fields go, others stay and become a decision. And the blocks that a class needs.

use std::collections::BTreeSet;

use syn::ImplItemFn;

use crate::analysis::View;
use crate::decisions::{Decisions, Topic};
use crate::derives::note;
use crate::edits::Edits;
use crate::holds::{Holdings, Holds};
use crate::hooks::{CLEAR, Hook, TRAVERSE};
use crate::imports::{GC, indent_of};
use crate::model::{Block, Marker, TypeDef};
use crate::names::Owner;
use crate::sources::Place;

/// What becomes of the classes of a view.
pub(crate) fn rewrite(view: &View<'_>, edits: &mut Edits, decisions: &mut Decisions) {
    let holdings = Holdings::new(&view.model, &view.names);
    let classes = view.model.types.iter().filter_map(|class| Some((class, class.class.as_ref()?)));
    let classes: Vec<_> = classes.filter(|(_, marker)| marker.owner != Owner::Ours).collect();
    // Hooks in a macro's body belong to several classes: they stay if they have to in one.
    let mut keepers: BTreeSet<Place> = BTreeSet::new();
    let mut kept = Vec::new();
    for (class, _) in &classes {
        let why = reasons(view, class, &holdings);
        if !why.is_empty() {
            keepers.extend(hooks(view, class).map(|hook| view.sources.extent(hook)));
            kept.push((*class, why));
        }
    }
    for (class, marker) in classes {
        let stays = hooks(view, class).any(|hook| keepers.contains(&view.sources.extent(hook)));
        if stays {
            leave_alone(view, class, marker, edits);
            let why =
                kept.iter().find(|(other, _)| std::ptr::eq(*other, class)).map(|(_, why)| why.join("; "));
            let why = why.unwrap_or_else(|| "a macro gives them to several classes".to_owned());
            if let Some(hook) = hooks(view, class).next() {
                note(view, view.sources.extent(hook), &why, edits);
            }
            decisions.add(Topic::Hooks, view, class, None, &why);
        } else {
            remove_hooks(view, class, edits);
        }
        mark_blocks(view, class, stays, &holdings.of_type(class), edits);
        if !stays && matches!(holdings.of_type(class), Holds::Yes(_)) && methods(view, class).next().is_none()
        {
            add_block(view, class, edits);
        }
    }
}

fn methods<'a>(view: &'a View<'_>, class: &'a TypeDef) -> impl Iterator<Item = &'a Block> {
    view.model.blocks_of(class).filter(|block| block.marker.is_some())
}

/// The hooks that Python calls.
fn hooks<'a>(view: &'a View<'_>, class: &'a TypeDef) -> impl Iterator<Item = &'a ImplItemFn> {
    methods(view, class).flat_map(|block| [block.hook(TRAVERSE), block.hook(CLEAR)]).flatten()
}

/// Why the hooks can't go.
fn reasons(view: &View<'_>, class: &TypeDef, holdings: &Holdings<'_>) -> Vec<String> {
    let mut reasons = Vec::new();
    for method in hooks(view, class) {
        let hook = Hook::of(&view.model, class, method, view.sources);
        let mut why = hook.more.clone();
        let values = class.fields.iter().filter(|field| {
            hook.reaches.contains(&field.name)
                && holdings.of_field(field, class) == Holds::No
                && !field.is_excluded
        });
        why.extend(values.map(|field| format!("uses `{}`, which owns nothing", field.name)));
        if method.attrs.iter().any(|attribute| attribute.path().is_ident("cfg")) {
            why.push("is conditional".to_owned());
        }
        if !why.is_empty() {
            why.dedup();
            why.truncate(3);
            reasons.push(format!("`{}` {}", method.sig.ident, why.join(", ")));
        }
    }
    reasons
}

fn remove_hooks(view: &View<'_>, class: &TypeDef, edits: &mut Edits) {
    for block in view.model.blocks_of(class).filter(|block| block.trait_name.is_none()) {
        // Outside of `#[pymethods]` nobody calls them, unless another method does.
        let found: Vec<_> = [block.hook(TRAVERSE), block.hook(CLEAR)].into_iter().flatten().collect();
        if block.marker.is_none() && (found.is_empty() || is_called(view, &found)) {
            continue;
        }
        if block.marker.is_none() && found.len() == block.item.items.len() {
            edits.delete(view.sources, block.at);
            continue;
        }
        for hook in &found {
            edits.delete(view.sources, with_comments(view, view.sources.extent(hook)));
        }
        if !found.is_empty() && found.len() == block.item.items.len() {
            let braces = block.item.brace_token.span;
            let (open, close) = (view.sources.place(braces.open()), view.sources.place(braces.close()));
            edits.replace(view.sources, Place { end: close.end, ..open }, "{}");
        }
    }
}

fn is_called(view: &View<'_>, hooks: &[&ImplItemFn]) -> bool {
    hooks.iter().any(|hook| {
        let name = hook.sig.ident.to_string();
        let calls = view.sources.files.iter().map(|file| {
            let called = [format!(".{name}("), format!("::{name}(")];
            called.iter().map(|call| file.text.matches(call.as_str()).count()).sum::<usize>()
        });
        calls.sum::<usize>() > 0
    })
}

/// With the comment lines right above.
fn with_comments(view: &View<'_>, place: Place) -> Place {
    let text = &view.sources.files[place.file].text;
    let mut start = text[..place.start].rfind('\n').map_or(0, |at| at + 1);
    if !text[start..place.start].trim().is_empty() {
        return place;
    }
    let mut found = place.start;
    while start > 0 {
        let above = text[..start - 1].rfind('\n').map_or(0, |at| at + 1);
        if !text[above..start].trim_start().starts_with("//") {
            break;
        }
        found = above + (text[above..start].len() - text[above..start].trim_start().len());
        start = above;
    }
    Place { start: found, ..place }
}

/// `gc = false` on a class whose hooks stay as they are.
fn leave_alone(view: &View<'_>, class: &TypeDef, marker: &Marker, edits: &mut Edits) {
    // One macro may make classes of both kinds: there, the derive comes in, and hooks by hand go before it.
    if !view.tree.is_in_definition(marker.at) || view.tree.is_in_definition(class.ident_at) {
        add_argument(view, marker, edits);
    }
}

/// `#[pymethods(gc = false)]` where hooks would be too many, or would be for nothing.
fn mark_blocks(view: &View<'_>, class: &TypeDef, stays: bool, holds: &Holds, edits: &mut Edits) {
    let blocks: Vec<_> = methods(view, class).collect();
    let is_conditional =
        |block: &Block| block.item.attrs.iter().any(|attribute| attribute.path().is_ident("cfg"));
    let costs = view.krate.dependencies.get("pyo3").is_some_and(|version| version.minor < 30);
    let with_hooks = blocks
        .iter()
        .position(|block| stays && (block.hook(TRAVERSE).is_some() || block.hook(CLEAR).is_some()));
    for (index, block) in blocks.iter().enumerate() {
        let Some(marker) = &block.marker else { continue };
        let is_further = view.krate.has_multiple_pymethods
            && index != with_hooks.unwrap_or_default()
            && !is_conditional(block);
        // On PyO3 0.28 and 0.29 hooks make a class a GC type.
        let needs_none = *holds == Holds::No && costs && !stays && !view.tree.is_in_definition(marker.at);
        if (is_further || needs_none) && marker.owner != Owner::Ours {
            add_argument(view, marker, edits);
        }
    }
}

/// Adds `gc = false` to the arguments of an attribute.
pub(crate) fn add_argument(view: &View<'_>, marker: &Marker, edits: &mut Edits) {
    let sources = view.sources;
    let file = marker.at.file;
    let text = &sources.files[file].text;
    let after = &text[marker.at.end..];
    let open = after.len() - after.trim_start().len();
    if !after[open..].starts_with('(') {
        edits.insert(sources, file, marker.at.end, "(gc = false)");
        return;
    }
    // Up to the bracket that closes the arguments.
    let mut depth = 0;
    let close = after.char_indices().find(|(_, character)| {
        depth += match character {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        *character == ')' && depth == 0
    });
    let Some((close, _)) = close else { return };
    let inner = &after[open + 1..close];
    let end = marker.at.end + open + 1 + inner.trim_end().len();
    let separator = match inner.trim_end() {
        "" => "",
        inner if inner.ends_with(',') => " ",
        _ => ", ",
    };
    edits.insert(sources, file, end, format!("{separator}gc = false"));
}

/// Takes `gc = false` out of the arguments of an attribute.
pub(crate) fn remove_argument(view: &View<'_>, marker: &Marker, edits: &mut Edits) {
    let text = view.sources.text(marker.whole);
    for argument in ["(gc = false)", ", gc = false", "gc = false, "] {
        if let Some(at) = text.find(argument) {
            let start = marker.whole.start + at;
            let place = Place { start, end: start + argument.len(), ..marker.whole };
            edits.replace(view.sources, place, "");
            return;
        }
    }
}

/// An empty block behind a class that has none.
pub(crate) fn add_block(view: &View<'_>, class: &TypeDef, edits: &mut Edits) {
    let sources = view.sources;
    let in_call = view.tree.call_at(class.ident_at);
    let place = in_call.unwrap_or(class.at);
    let conditions = if in_call.is_some() { String::new() } else { conditions(view, class) };
    let indent = indent_of(sources, place);
    let block = format!(
        "\n\n{indent}{conditions}#[{GC}::pymethods]\n{indent}impl {} {{}}",
        sources.text(class.ident_at)
    );
    edits.insert(sources, place.file, place.end, block);
}

/// The `#[cfg(…)]`s of a class, as they are written.
fn conditions(view: &View<'_>, class: &TypeDef) -> String {
    let indent = indent_of(view.sources, class.at);
    let conditions = class.conditions.iter().map(|place| format!("{}\n{indent}", view.sources.text(*place)));
    conditions.collect()
}
