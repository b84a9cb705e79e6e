//! The cases, as files.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// At the end of a line that has a mistake.
const MISTAKE: &str = " //~ mistake";
/// Before a text, an arrow, and the text to put in its place.
const FIX: &str = "//~ fix: ";

pub(crate) struct Case {
    /// `topic/mistake`
    pub(crate) name: String,
    pub(crate) text: String,
    /// What the pinned release says.
    pub(crate) stderr: String,
}

/// All of them, in order.
pub(crate) fn cases() -> Vec<Case> {
    let mut files: Vec<PathBuf> = entries(Path::new("tests/ui")).filter(|path| path.is_dir()).collect();
    files = files.iter().flat_map(|topic| entries(topic)).collect();
    let names = |extension: &str| -> Vec<String> {
        let files = files.iter().filter(|path| path.extension().is_some_and(|found| found == extension));
        let mut names: Vec<String> = files
            .map(|path| path.with_extension("").strip_prefix("tests/ui").unwrap().to_str().unwrap().into())
            .collect();
        names.sort();
        names
    };
    let found = names("rs");
    assert!(found.len() > 100, "a test that is given no files passes");
    assert_eq!(found, names("stderr"));
    assert_eq!(files.len(), 2 * found.len(), "there is nothing else");
    found.into_iter().map(Case::read).collect()
}

fn entries(folder: &Path) -> impl Iterator<Item = PathBuf> {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path())
}

impl Case {
    fn read(name: String) -> Self {
        let read = |extension| fs::read_to_string(format!("tests/ui/{name}.{extension}")).unwrap();
        Self { text: read("rs"), stderr: read("stderr"), name }
    }

    pub(crate) fn path(&self, extension: &str) -> PathBuf {
        Path::new("tests/ui").join(&self.name).with_extension(extension)
    }

    pub(crate) fn crate_name(&self) -> String {
        self.name.replace('/', "_")
    }

    /// What is wrong with what rustc says of it: each mistake has one error, which shows its line.
    pub(crate) fn faults<'s>(&self, said: impl Iterator<Item = &'s str>) -> Option<String> {
        let errors: Vec<&str> =
            said.filter(|said| said.starts_with("error") || said.starts_with("warning")).collect();
        let lines = self.text.lines().zip(1..);
        let mistakes: BTreeSet<usize> =
            lines.filter(|(line, _)| line.ends_with(MISTAKE)).map(|(_, number)| number).collect();
        let shown: BTreeSet<usize> = errors.iter().copied().flat_map(marked_lines).collect();
        let is_right = !mistakes.is_empty()
            && errors.len() == mistakes.len()
            && errors.iter().all(|error| marked_lines(error).next().is_some())
            && shown == mistakes;
        (!is_right)
            .then(|| format!("{} has its mistakes in lines {mistakes:?}:\n{}", self.name, errors.join("\n")))
    }

    /// The text with each fix in the place of what it puts right.
    pub(crate) fn put_right(&self) -> String {
        let Self { name, text, .. } = self;
        let (code, fixes) =
            text.split_once(FIX).unwrap_or_else(|| panic!("{name} doesn't say `{FIX}… => …`"));
        fixes.split(FIX).fold(code.replace(MISTAKE, ""), |code, fix| {
            let (wrong, right) =
                fix.split_once(" =>").unwrap_or_else(|| panic!("{name} has a fix without an arrow: {fix}"));
            assert_eq!(code.matches(wrong).count(), 1, "{name}: how often `{wrong}` stands in\n{code}");
            code.replace(wrong, right.trim())
        })
    }
}

/// The lines with a mistake among those that an error shows, with their numbers.
fn marked_lines(error: &str) -> impl Iterator<Item = usize> {
    let lines = error.lines().filter(|line| line.ends_with(MISTAKE));
    lines.filter_map(|line| line.split_whitespace().next()?.parse().ok())
}
