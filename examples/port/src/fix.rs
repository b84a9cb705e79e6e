//! What follows from the compiler's errors.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::analysis::{Loaded, View};
use crate::compiler::{Said, Spot};
use crate::decisions::{Decisions, Topic};
use crate::derives::{derive, hide, mark_recursive, put_on_field};
use crate::edits::Edits;
use crate::holds::written;
use crate::imports::GC;
use crate::methods::{add_argument, add_block, remove_argument};
use crate::model::{Field, Marker, TypeDef};
use crate::sources::Place;

const UNIMPLEMENTED: &str = "does not tell the garbage collector what it owns";
const UNSHOWN: &str = "can't be shown to the garbage collector: ";
const NO_HOOKS: &str = "its garbage-collector hooks are installed nowhere";
const TWO_BLOCKS: &str = "BothInstallHooks_WritePymethodsGcFalseOnOne";
const LOOP: &str = "put__pyo3_gc_recursive__on_one_of_these_types";

/// What was done about a round of errors.
#[derive(Default)]
pub(crate) struct Round {
    pub(crate) derived: usize,
    hidden: BTreeSet<Place>,
    has_marks: bool,
    /// All files that can be changed.
    files: BTreeSet<PathBuf>,
    /// The types of each crate of the project, of which rustc doesn't say to another where they are defined.
    types: BTreeMap<String, BTreeSet<String>>,
    /// Those that another crate needs the derive on.
    elsewhere: BTreeSet<(String, String)>,
}

impl Round {
    pub(crate) fn new(loaded: &[Loaded<'_>]) -> Self {
        let files = loaded.iter().flat_map(|loaded| &loaded.sources.files);
        let mut types: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for view in loaded.iter().flat_map(Loaded::views) {
            types
                .entry(view.krate.name.clone())
                .or_default()
                .extend(view.model.types.into_iter().map(|ty| ty.name));
        }
        let files = files.filter_map(|file| file.path.canonicalize().ok()).collect();
        Self { files, types, ..Self::default() }
    }

    /// Once all views are answered: what one crate needs of another.
    pub(crate) fn answer_elsewhere(&mut self, view: &View<'_>, edits: &mut Edits, decisions: &mut Decisions) {
        let is_wanted = |ty: &&TypeDef| self.elsewhere.contains(&(view.krate.name.clone(), ty.name.clone()));
        let wanted = view.model.types.iter().filter(is_wanted).collect();
        self.derived += derive(view, wanted, edits, decisions);
    }

    /// Answers all errors that the view's files have a part in.
    pub(crate) fn answer(
        &mut self,
        view: &View<'_>,
        errors: &[&Said],
        edits: &mut Edits,
        decisions: &mut Decisions,
    ) {
        let mut to_derive = Vec::new();
        for error in errors {
            if error.message.contains(UNIMPLEMENTED) {
                let defined = definition(error);
                let is_ours = defined
                    .and_then(|spot| spot.file.canonicalize().ok())
                    .is_some_and(|file| self.files.contains(&file));
                if is_ours {
                    to_derive.extend(defined.and_then(|spot| type_at(view, spot)));
                } else {
                    self.hide_foreign(view, error, edits, decisions);
                }
            } else if let Some((_, remedy)) = error.message.split_once(UNSHOWN) {
                let why = remedy.split(": ").next().unwrap_or(remedy);
                let topic = if why.contains("PyErr") { Topic::Error } else { Topic::Unshown };
                self.hide_field(view, error, topic, why, edits, decisions);
            } else if error.message.contains(NO_HOOKS) {
                if let Some(class) = error.primary().and_then(|spot| type_at(view, spot)) {
                    install(view, class, edits);
                }
            } else if error.message.contains(TWO_BLOCKS) {
                if let Some(marker) = error.primary().and_then(|spot| marker_at(view, spot)) {
                    add_argument(view, marker, edits);
                }
            } else if error.code == "E0659" {
                // Ambiguous, in a module that a macro hands on.
                if let Some(marker) = error.primary().and_then(|spot| marker_at(view, spot)) {
                    let name = marker.path.last().cloned().unwrap_or_default();
                    edits.replace(view.sources, marker.at, format!("{GC}::{name}"));
                }
            } else if error.code == "E0391" && error.message.contains(LOOP) && !self.has_marks {
                // In the crate that the loop is in.
                let is_here = error.spots.iter().any(|spot| place_of(view, spot).is_some());
                self.has_marks =
                    is_here && (mark_recursive(view, edits) > 0 || mark_where_said(view, error, edits));
            }
        }
        self.derived += derive(view, to_derive, edits, decisions);
    }

    fn hide_foreign(&mut self, view: &View<'_>, error: &Said, edits: &mut Edits, decisions: &mut Decisions) {
        let name = error.message.split('`').nth(1).unwrap_or_default();
        let name = shortened(name.trim_start_matches('(').trim_end_matches(" + 'static)"));
        let base = name.split('<').next().unwrap_or_default();
        let owner = self
            .types
            .iter()
            .find(|(krate, types)| view.krate.dependencies.contains_key(*krate) && types.contains(base));
        let is_here = || error.primary().is_some_and(|spot| !fields_at(view, spot).is_empty());
        if let Some((krate, _)) = owner.filter(|_| is_here()) {
            self.elsewhere.insert((krate.clone(), base.to_owned()));
            return;
        }
        let (topic, why) = if name.starts_with("dyn Fn") {
            (Topic::Unshown, "a closure hides what it captures".to_owned())
        } else if name.starts_with("dyn ") {
            (Topic::TraitObject, format!("`{name}` may own Python objects"))
        } else if base == "PyErr" {
            (Topic::Error, "a `PyErr` hides its exception, and with it the traceback".to_owned())
        } else {
            (Topic::Foreign, format!("`{name}` is of another crate, and may own Python objects"))
        };
        self.hide_field(view, error, topic, &why, edits, decisions);
    }

    fn hide_field(
        &mut self,
        view: &View<'_>,
        error: &Said,
        topic: Topic,
        why: &str,
        edits: &mut Edits,
        decisions: &mut Decisions,
    ) {
        for (owner, field) in error.primary().map(|spot| fields_at(view, spot)).unwrap_or_default() {
            // What doesn't implement the trait may be an argument, or what an alias stands for.
            let written = written(&field.ty);
            let named = why.split(['`', '<']).nth(1).unwrap_or_default();
            let why = match topic {
                Topic::Foreign if !written.contains(named) => format!("{why} (in `{written}`)"),
                _ => why.to_owned(),
            };
            if self.hidden.insert(field.at) {
                hide(view, owner, field, &why, edits);
            }
            decisions.add(topic, view, owner, Some(field), &why);
        }
    }
}

/// A block for a class that has none, or one with hooks where it has blocks without them.
fn install(view: &View<'_>, class: &TypeDef, edits: &mut Edits) {
    let mut markers = view.model.blocks_of(class).filter_map(|block| block.marker.as_ref());
    match markers.find(|marker| marker.is_left_alone()) {
        Some(marker) => remove_argument(view, marker, edits),
        None => add_block(view, class, edits),
    }
}

/// Where the type that doesn't implement the trait is defined, if that is in this project.
fn definition(error: &Said) -> Option<&Spot> {
    let note = error
        .notes
        .iter()
        .find(|(note, _)| note.starts_with("the trait `PyGcTraversable` is not implemented"));
    note?.1.first()
}

pub(crate) fn place_of(view: &View<'_>, spot: &Spot) -> Option<Place> {
    let is_same =
        |path: &Path| path == spot.file || path.canonicalize().ok() == spot.file.canonicalize().ok();
    let file = view.sources.files.iter().position(|file| is_same(&file.path))?;
    let text = &view.sources.files[file].text;
    let line = text.split_inclusive('\n').take(spot.line - 1).map(str::len).sum::<usize>();
    let column = text[line..].char_indices().nth(spot.column - 1).map_or(0, |(at, _)| at);
    Some(Place { file, start: line + column, end: line + column, line: spot.line })
}

/// The type whose head a spot is in.
fn type_at<'a>(view: &'a View<'_>, spot: &Spot) -> Option<&'a TypeDef> {
    let place = place_of(view, spot)?;
    let at_name = view.model.types.iter().find(|ty| ty.ident_at.contains(place));
    at_name.or_else(|| {
        let on_line = |ty: &&TypeDef| {
            ty.head_at.file == place.file && (ty.head_at.start..=ty.ident_at.end).contains(&place.start)
        };
        view.model.types.iter().find(on_line)
    })
}

/// The fields that have a type at a spot: several, where a macro's body has it.
fn fields_at<'a>(view: &'a View<'_>, spot: &Spot) -> Vec<(&'a TypeDef, &'a Field)> {
    let Some(place) = place_of(view, spot) else { return Vec::new() };
    let all = view.model.types.iter().flat_map(|ty| ty.fields.iter().map(move |field| (ty, field)));
    all.filter(|(_, field)| !field.is_excluded && view.sources.extent(&field.ty).contains(place)).collect()
}

fn marker_at<'a>(view: &'a View<'_>, spot: &Spot) -> Option<&'a Marker> {
    let place = place_of(view, spot)?;
    let classes = view.model.types.iter().filter_map(|ty| ty.class.as_ref());
    let blocks = view.model.blocks.iter().filter_map(|block| block.marker.as_ref());
    classes.chain(blocks).find(|marker| marker.whole.contains(place))
}

/// On the first field that rustc names, where the names alone don't show the loop. Whether there is one.
fn mark_where_said(view: &View<'_>, error: &Said, edits: &mut Edits) -> bool {
    let spots = error.spots.iter().chain(error.notes.iter().flat_map(|(_, spots)| spots));
    let field = spots.flat_map(|spot| fields_at(view, spot)).next();
    if let Some((owner, field)) = field {
        put_on_field(view, owner, field, "#[pyo3_gc(recursive)]", edits);
    }
    field.is_some()
}

/// A type without the paths to its name.
fn shortened(name: &str) -> String {
    let mut short = String::new();
    let mut word = String::new();
    let mut characters = name.chars().peekable();
    while let Some(character) = characters.next() {
        if character == ':' && characters.peek() == Some(&':') {
            characters.next();
            word.clear();
        } else if character.is_alphanumeric() || character == '_' {
            word.push(character);
        } else {
            short += &std::mem::take(&mut word);
            short.push(character);
        }
    }
    short + &word
}

#[cfg(test)]
mod tests {
    #[test]
    fn types_are_shown_by_their_names() {
        assert_eq!(super::shortened("a::Map<u8, pyo3::Py<pyo3::PyAny>>"), "Map<u8, Py<PyAny>>");
        assert_eq!(super::shortened("dyn b::Shape"), "dyn Shape");
    }
}
