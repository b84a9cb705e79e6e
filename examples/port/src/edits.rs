//! Changes of files, by byte, so that all else keeps its formatting; and what the files were before.

use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use similar::{ChangeTag, TextDiff};

use crate::sources::{Place, Sources};

/// Changes that are to be made at once.
#[derive(Default)]
pub(crate) struct Edits {
    files: BTreeMap<PathBuf, Vec<(Range<usize>, String)>>,
}

/// What was changed so far.
#[derive(Default)]
pub(crate) struct Changes {
    /// The texts of the files before the first change.
    originals: BTreeMap<PathBuf, String>,
}

impl Edits {
    pub(crate) fn replace(&mut self, sources: &Sources, place: Place, by: impl Into<String>) {
        let path = sources.files[place.file].path.clone();
        let edit = (place.start..place.end, by.into());
        let edits = self.files.entry(path).or_default();
        // A macro's body is seen as often as it is called.
        if !edits.contains(&edit) {
            edits.push(edit);
        }
    }

    pub(crate) fn insert(&mut self, sources: &Sources, file: usize, at: usize, text: impl Into<String>) {
        self.replace(sources, Place { file, start: at, end: at, line: 0 }, text);
    }

    /// Unless something is inserted there already.
    pub(crate) fn insert_once(&mut self, sources: &Sources, place: Place, text: &str) {
        let edits = self.files.get(&sources.files[place.file].path);
        let at = place.start..place.start;
        if !edits.is_some_and(|edits| edits.iter().any(|(range, _)| *range == at)) {
            self.insert(sources, place.file, place.start, text);
        }
    }

    /// Takes out whole lines, if nothing else stands on them.
    pub(crate) fn delete(&mut self, sources: &Sources, place: Place) {
        let text = &sources.files[place.file].text;
        let before = text[..place.start].rfind('\n').map_or(0, |at| at + 1);
        let after = text[place.end..].find('\n').map_or(text.len(), |at| place.end + at + 1);
        let is_alone =
            text[before..place.start].trim().is_empty() && text[place.end..after].trim().is_empty();
        let (mut start, mut end) = if is_alone { (before, after) } else { (place.start, place.end) };
        if is_alone {
            // One of the two blank lines around it.
            let above = text[..start].strip_suffix('\n').and_then(|text| text.rsplit('\n').next());
            let below = text[end..].split('\n').next();
            let is_blank = |line: Option<&str>| line.is_some_and(|line| line.trim().is_empty());
            let closes = below.is_some_and(|line| line.trim_start().starts_with(['}', ')']));
            if is_blank(above) && (closes || is_blank(below)) {
                start = text[..start - 1].rfind('\n').map_or(0, |at| at + 1);
            } else if is_blank(below)
                && (start == 0 || above.is_some_and(|line| line.trim_end().ends_with('{')))
            {
                end = text[end..].find('\n').map_or(end, |at| end + at + 1);
            }
        }
        self.replace(sources, Place { start, end, ..place }, "");
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Writes the files. Of two changes at one place, the larger one stays.
    pub(crate) fn apply(self, changes: &mut Changes) -> Result<()> {
        for (path, mut edits) in self.files {
            let mut text = read(&path)?;
            edits.sort_by_key(|(range, _)| (range.start, std::cmp::Reverse(range.end)));
            let mut kept: Vec<(Range<usize>, String)> = Vec::new();
            for edit in edits {
                let is_inside = kept.last().is_some_and(|(last, _)| edit.0.start < last.end);
                if !is_inside {
                    kept.push(edit);
                }
            }
            for (range, by) in kept.into_iter().rev() {
                text.replace_range(range, &by);
            }
            changes.write(&path, &text)?;
        }
        Ok(())
    }
}

impl Changes {
    pub(crate) fn write(&mut self, path: &Path, text: &str) -> Result<()> {
        let before = read(path)?;
        if before != text {
            fs::write(path, text).with_context(|| format!("can't write {}", path.display()))?;
            self.originals.entry(path.to_owned()).or_insert(before);
        }
        Ok(())
    }

    /// Puts all files back.
    pub(crate) fn restore(&self) -> Result<()> {
        for (path, text) in &self.originals {
            fs::write(path, text).with_context(|| format!("can't restore {}", path.display()))?;
        }
        Ok(())
    }

    pub(crate) fn files(&self) -> impl Iterator<Item = &Path> {
        self.originals.keys().map(PathBuf::as_path)
    }

    /// Lines that were added and removed.
    pub(crate) fn lines(&self) -> Result<(usize, usize)> {
        let (mut added, mut removed) = (0, 0);
        for (path, before) in &self.originals {
            let after = read(path)?;
            for change in TextDiff::from_lines(before, &after).iter_all_changes() {
                match change.tag() {
                    ChangeTag::Insert => added += 1,
                    ChangeTag::Delete => removed += 1,
                    ChangeTag::Equal => {}
                }
            }
        }
        Ok((added, removed))
    }

    /// As `git diff` shows it, with paths from `root`.
    pub(crate) fn diff(&self, root: &Path) -> Result<String> {
        let mut diff = String::new();
        for (path, before) in &self.originals {
            let after = read(path)?;
            let name = path.strip_prefix(root).unwrap_or(path).display().to_string();
            let texts = TextDiff::from_lines(before, &after);
            diff += &texts.unified_diff().header(&format!("a/{name}"), &format!("b/{name}")).to_string();
        }
        Ok(diff)
    }
}

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| format!("can't read {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Deletes what stands between `<` and `>`.
    #[track_caller]
    fn deletes(marked: &str, expected: &str) {
        let (start, end) = (marked.find('<').unwrap(), marked.find('>').unwrap() - 1);
        let text = marked.replace(['<', '>'], "");
        let folder = tempfile::TempDir::new().unwrap();
        let path = folder.path().join("lib.rs");
        fs::write(&path, &text).unwrap();
        let mut sources = Sources::default();
        sources.files.push(crate::sources::File { path: path.clone(), text });
        let mut edits = Edits::default();
        edits.delete(&sources, Place { file: 0, start, end, line: 0 });
        let mut changes = Changes::default();
        edits.apply(&mut changes).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), expected);
        changes.restore().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), marked.replace(['<', '>'], ""));
    }

    #[test]
    fn deleting_leaves_one_blank_line() {
        deletes("impl A {\n    a\n\n    <b>\n\n    c\n}\n", "impl A {\n    a\n\n    c\n}\n");
        deletes("impl A {\n    a\n\n    <b>\n}\n", "impl A {\n    a\n}\n");
        deletes("impl A {\n    <a>\n\n    b\n}\n", "impl A {\n    b\n}\n");
        deletes("impl A { <a> b }\n", "impl A {  b }\n");
        deletes("<use a;>\nuse b;\n", "use b;\n");
        deletes("<use a;>\n\nfn b() {}\n", "fn b() {}\n");
    }
}
