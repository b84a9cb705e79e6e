//! `check`: what is wrong in a project, for people and for programs.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use anyhow::Result;
use serde::Serialize;

use crate::analysis::{Finding, Kind, Loaded, Status, View};
use crate::holds::Holds;
use crate::names::Owner;
use crate::project::Project;
use crate::sources::{Place, Sources};

#[derive(Serialize)]
pub(crate) struct Report {
    pub(crate) classes: Vec<Class>,
    /// Not of one class: PyO3's attributes where ours are meant.
    pub(crate) files: Vec<Found>,
    /// What can't be looked into.
    pub(crate) unseen: Vec<Unseen>,
    /// How many findings there are in all.
    pub(crate) findings: usize,
}

#[derive(Serialize)]
pub(crate) struct Class {
    #[serde(rename = "crate")]
    krate: String,
    pub(crate) name: String,
    pub(crate) file: String,
    pub(crate) line: usize,
    pub(crate) status: Status,
    /// The field by which it owns a Python object, if it does.
    pub(crate) owns_by: Option<String>,
    /// Types that may own one and can't be looked into.
    pub(crate) may_own_by: Vec<String>,
    pub(crate) findings: Vec<Found>,
}

#[derive(Serialize, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) kind: Kind,
    pub(crate) file: String,
    pub(crate) line: usize,
    pub(crate) message: String,
}

#[derive(Serialize)]
pub(crate) struct Unseen {
    file: String,
    line: usize,
    what: String,
}

pub(crate) fn check(project: &Project) -> Result<Report> {
    let mut report = Report { classes: Vec::new(), files: Vec::new(), unseen: Vec::new(), findings: 0 };
    for krate in &project.crates {
        let loaded = Loaded::of(krate)?;
        for view in loaded.views() {
            report.add(project, &view);
        }
    }
    let of_classes: usize = report.classes.iter().map(|class| class.findings.len()).sum();
    report.findings = of_classes + report.files.len();
    Ok(report)
}

impl Report {
    fn add(&mut self, project: &Project, view: &View<'_>) {
        let at = |place: Place| shown(project, view.sources, place);
        let found = |finding: Finding| {
            let (file, line) = at(finding.at);
            Found { kind: finding.kind, file, line, message: finding.message }
        };
        for standing in view.standings() {
            let (file, line) = at(standing.class.ident_at);
            let (owns_by, may_own_by) = match standing.holds {
                Holds::Yes(by) => (Some(by), Vec::new()),
                Holds::Maybe(types) => (None, types),
                Holds::No => (None, Vec::new()),
            };
            if standing.marker.owner == Owner::Unknown {
                let what = format!("whose `#[{}]` it is", standing.marker.path.join("::"));
                self.unseen.push(Unseen { file: file.clone(), line, what });
            }
            let class = Class {
                krate: view.krate.name.clone(),
                name: standing.class.name.clone(),
                file,
                line,
                status: standing.status,
                owns_by,
                may_own_by,
                findings: standing.findings.into_iter().map(found).collect(),
            };
            // A file may belong to the library and to a program.
            if !self
                .classes
                .iter()
                .any(|known| (&known.file, known.line, &known.name) == (&class.file, class.line, &class.name))
            {
                self.classes.push(class);
            }
        }
        for finding in view.foreign_attributes().into_iter().map(found) {
            if !self.files.contains(&finding) {
                self.files.push(finding);
            }
        }
        for (name, place) in &view.tree.unseen {
            let (file, line) = at(*place);
            let what = format!("what `{name}!` makes");
            // Once for a macro that calls it often.
            if !self.unseen.iter().any(|known| (&known.file, known.line, &known.what) == (&file, line, &what))
            {
                self.unseen.push(Unseen { file, line, what });
            }
        }
    }

    pub(crate) fn table(&self) -> String {
        let rows: Vec<_> = self
            .classes
            .iter()
            .map(|class| [class.name.clone(), format!("{}:{}", class.file, class.line), class.stands()])
            .collect();
        let mut table = String::new();
        let width = |column: usize, title: &str| {
            rows.iter().map(|row| row[column].chars().count()).chain([title.len()]).max().unwrap_or_default()
        };
        let (name, place) = (width(0, "class"), width(1, "place"));
        let _ = writeln!(table, "{:name$}  {:place$}  how it stands", "class", "place");
        for row in &rows {
            let _ = writeln!(table, "{:name$}  {:place$}  {}", row[0], row[1], row[2]);
        }
        let findings = self
            .classes
            .iter()
            .flat_map(|class| class.findings.iter().map(|found| (Some(&class.name), found)));
        for (index, (class, found)) in
            findings.chain(self.files.iter().map(|found| (None, found))).enumerate()
        {
            let class = class.map(|class| format!("{class} ")).unwrap_or_default();
            let gap = if index == 0 { "\n" } else { "" };
            let _ = writeln!(table, "{gap}{}:{}: {class}{}", found.file, found.line, found.message);
        }
        for (index, unseen) in self.unseen.iter().enumerate() {
            let gap = if index == 0 { "\n" } else { "" };
            let _ = writeln!(table, "{gap}{}:{}: can't be seen: {}", unseen.file, unseen.line, unseen.what);
        }
        let files: BTreeSet<_> = self.files.iter().map(|found| &found.file).collect();
        let _ = write!(
            table,
            "\n{}, {}",
            counted(self.classes.len(), "class", "classes"),
            counted(self.findings, "finding", "findings")
        );
        if !files.is_empty() {
            let _ = write!(table, ", {} with PyO3's attributes", counted(files.len(), "file", "files"));
        }
        table.push('\n');
        table
    }
}

impl Class {
    /// In a few words.
    fn stands(&self) -> String {
        let status = match self.status {
            Status::Wired => "wired by pyo3-gc".to_owned(),
            Status::LeftAlone => "left alone by `gc = false`".to_owned(),
            Status::HooksByHand => "hooks by hand".to_owned(),
            Status::NeedsNone => "needs no hooks".to_owned(),
            Status::Unknown => format!("no hooks; may own objects in {}", self.may_own_by.join(", ")),
            Status::NoHooks => "no hooks".to_owned(),
            Status::Undecided => "hides fields that `port` has left to decide".to_owned(),
        };
        let kinds = self.findings.iter().filter_map(|found| match found.kind {
            Kind::NoHooks | Kind::Pyo3Attribute => None,
            Kind::MissesFields => Some("miss fields"),
            Kind::NeverRuns => Some("some never run"),
            Kind::NeverClears => Some("never clear"),
            Kind::Waits => Some("wait for a lock"),
            Kind::SharedArc => Some("visit a shared Arc"),
        });
        let mut words: Vec<_> = [status.as_str()].into_iter().chain(kinds).collect();
        words.dedup();
        words.join(", ")
    }
}

pub(crate) fn shown(project: &Project, sources: &Sources, place: Place) -> (String, usize) {
    (project.shown(&sources.files[place.file].path), place.line)
}

pub(crate) fn counted(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}
