//! `port`: changes the sources of a project, round by round, until it compiles with pyo3-gc.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use anyhow::{Context, Result, bail};
use serde::Serialize;

use crate::analysis::{Loaded, View};
use crate::check::counted;
use crate::compiler::{self, Compiled, INTERRUPTED, Interrupted};
use crate::decisions::{Decisions, Shown, Topic};
use crate::derives::{derive, note};
use crate::edits::{Changes, Edits};
use crate::fix::Round;
use crate::holds::Holdings;
use crate::lock::settle;
use crate::manifest::{self, Origin};
use crate::model::TypeDef;
use crate::names::Owner;
use crate::owned::shared_in;
use crate::project::{Lock, Project};
use crate::tidy::{remove_helper_traits, remove_unused};
use crate::worktree::{self, Copied};
use crate::{imports, methods};

/// After as many, something goes in circles.
const MAX_ROUNDS: usize = 60;

pub(crate) struct Options {
    pub(crate) path: PathBuf,
    pub(crate) is_dry: bool,
    pub(crate) is_agreed: bool,
    pub(crate) origin: Origin,
    /// For cargo.
    pub(crate) cargo: Vec<String>,
}

#[derive(Serialize)]
pub(crate) struct Summary {
    pub(crate) classes: usize,
    /// Types that the derive was put on.
    pub(crate) types: usize,
    pub(crate) lines_added: usize,
    pub(crate) lines_removed: usize,
    pub(crate) rounds: usize,
    pub(crate) decisions: Vec<Shown>,
    /// Errors that the compiler still has.
    pub(crate) errors: usize,
    /// The changes, in a dry run.
    pub(crate) diff: Option<String>,
}

pub(crate) fn port(options: &Options) -> Result<Summary> {
    ctrlc::set_handler(|| INTERRUPTED.store(true, Ordering::SeqCst)).context("can't watch for Ctrl-C")?;
    let mut project = Project::load(&options.path)?;
    // Whatever can't be read is said before anything is built.
    project.crates.iter().try_for_each(|krate| Loaded::of(krate).map(drop))?;
    let copied = if options.is_dry {
        let copied = Copied::of(&project)?;
        // Cargo takes the copy for the original, whose builds must not be taken for up to date.
        let target = project.target.join("pyo3-gc-port");
        project = Project { target, ..copied.load(&project)? };
        Some(copied)
    } else {
        if !options.is_agreed {
            worktree::ask(&project)?;
        }
        None
    };
    let mut port = Port {
        options,
        project,
        changes: Changes::default(),
        decisions: Decisions::default(),
        types: 0,
        rounds: 0,
    };
    let summary = port.run();
    match &summary {
        Err(error) if error.is::<Interrupted>() && !options.is_dry => port.say_how_to_undo(),
        Err(_) => port.changes.restore()?,
        Ok(_) => {}
    }
    drop(copied);
    summary
}

struct Port<'a> {
    options: &'a Options,
    project: Project,
    changes: Changes,
    decisions: Decisions,
    types: usize,
    rounds: usize,
}

impl Port<'_> {
    fn run(&mut self) -> Result<Summary> {
        let before = self.baseline()?;
        self.add_dependency()?;
        eprintln!("imports, hooks and blocks");
        self.edit(|view, edits, decisions| {
            imports::rewrite(view, edits);
            methods::rewrite(view, edits, decisions);
            0
        })?;
        self.types +=
            self.edit(|view, edits, decisions| derive(view, classes_of_ours(view), edits, decisions))?;
        let mut compiled = self.rounds()?;
        self.edit(|view, edits, decisions| {
            find_shared(view, edits, decisions);
            0
        })?;
        if compiled.is_success {
            compiled = self.tidy(compiled, &before)?;
        }
        self.summary(&compiled)
    }

    /// The sources as they are must compile. Leaves no lock file where there was none, if they don't.
    fn baseline(&self) -> Result<Compiled> {
        eprintln!("cargo check, before anything is changed");
        let lock = Lock::remember(self.project.workspace_root.join("Cargo.lock"))?;
        let compiled = compiler::check(&self.project, &self.options.cargo);
        match compiled {
            Ok(compiled) if compiled.is_success => Ok(compiled),
            Ok(compiled) => {
                lock.restore()?;
                bail!("the project doesn't compile as it is; nothing was changed\n\n{}", compiled.shown(3))
            }
            Err(error) => {
                lock.restore()?;
                Err(error)
            }
        }
    }

    fn add_dependency(&mut self) -> Result<()> {
        let path = self.project.workspace_root.join("Cargo.lock");
        let lock = Lock::remember(path.clone())?;
        for krate in self.project.crates.iter().filter(|krate| krate.gc.is_none()) {
            manifest::add(krate, &self.options.origin, &mut self.changes)?;
        }
        let loaded = self.project.resolve().and_then(|()| {
            // The versions that the crates have, where they have one.
            let versions = self.project.crates.iter().flat_map(|krate| &krate.dependencies);
            let wanted = versions.map(|(name, version)| (name.clone(), version.to_string())).collect();
            let new = fs::read_to_string(&path)?;
            if let Some(settled) = lock.text.as_deref().and_then(|old| settle(old, &new, &wanted)) {
                fs::write(&path, settled)?;
            }
            Project::load_in(&self.project.root, Some(self.project.base.clone()))
        });
        match loaded {
            Ok(project) => {
                let target = std::mem::take(&mut self.project.target);
                self.project = Project { target, ..project };
                Ok(())
            }
            Err(error) => {
                self.changes.restore()?;
                lock.restore()?;
                Err(error)
                    .context("cargo can't have pyo3-gc; nothing was changed. `--pyo3-gc` takes its version or its folder")
            }
        }
    }

    /// One pass over the sources of all crates. Returns the sum of what `act` returns.
    fn edit(&mut self, act: impl Fn(&View<'_>, &mut Edits, &mut Decisions) -> usize) -> Result<usize> {
        let mut edits = Edits::default();
        let mut sum = 0;
        for krate in &self.project.crates {
            let loaded = Loaded::of(krate)?;
            sum += loaded.views().map(|view| act(&view, &mut edits, &mut self.decisions)).sum::<usize>();
        }
        edits.apply(&mut self.changes)?;
        Ok(sum)
    }

    /// Until nothing is left that follows from an error.
    fn rounds(&mut self) -> Result<Compiled> {
        loop {
            self.rounds += 1;
            let compiled = compiler::check(&self.project, &self.options.cargo)?;
            let errors: Vec<_> = compiled.errors().collect();
            eprintln!("round {}: {}", self.rounds, counted(errors.len(), "error", "errors"));
            if compiled.is_success || self.rounds == MAX_ROUNDS {
                return Ok(compiled);
            }
            let mut edits = Edits::default();
            let crates = self.project.crates.iter();
            let loaded = crates.map(Loaded::of).collect::<Result<Vec<_>>>()?;
            let mut round = Round::new(&loaded);
            for view in loaded.iter().flat_map(Loaded::views) {
                round.answer(&view, &errors, &mut edits, &mut self.decisions);
            }
            for view in loaded.iter().flat_map(Loaded::views) {
                round.answer_elsewhere(&view, &mut edits, &mut self.decisions);
            }
            if edits.is_empty() {
                return Ok(compiled);
            }
            self.types += round.derived;
            edits.apply(&mut self.changes)?;
        }
    }

    /// Takes out what only the hooks have used.
    fn tidy(&mut self, mut compiled: Compiled, before: &Compiled) -> Result<Compiled> {
        for _ in 0..MAX_ROUNDS {
            let mut edits = Edits::default();
            for krate in &self.project.crates {
                let loaded = Loaded::of(krate)?;
                for view in loaded.views() {
                    remove_helper_traits(&view, &mut edits);
                    remove_unused(&view, &compiled.said, &before.said, &mut edits);
                }
            }
            if edits.is_empty() {
                break;
            }
            edits.apply(&mut self.changes)?;
            compiled = compiler::check(&self.project, &self.options.cargo)?;
        }
        Ok(compiled)
    }

    fn summary(&mut self, compiled: &Compiled) -> Result<Summary> {
        let mut classes = 0;
        let mut decisions = Vec::new();
        for krate in &self.project.crates {
            let loaded = Loaded::of(krate)?;
            for view in loaded.views() {
                classes += view.model.types.iter().filter(|ty| ty.class.is_some()).count();
                let path = |file: usize| self.project.shown(&view.sources.files[file].path);
                decisions.extend(self.decisions.shown(&view, path));
            }
        }
        if !compiled.is_success {
            eprintln!("\n{}", compiled.shown(10));
        }
        let (lines_added, lines_removed) = self.changes.lines()?;
        let diff = self.options.is_dry.then(|| self.changes.diff(&self.project.base)).transpose()?;
        let errors = if compiled.is_success { 0 } else { compiled.errors().count().max(1) };
        Ok(Summary {
            classes,
            types: self.types,
            lines_added,
            lines_removed,
            rounds: self.rounds,
            decisions,
            errors,
            diff,
        })
    }

    fn say_how_to_undo(&self) {
        let files = self.changes.files().count();
        let root: &Path = &self.project.base;
        if files == 0 {
            eprintln!("nothing was changed");
        } else {
            eprintln!("{} changed so far: {}", counted(files, "file is", "files are"), worktree::undo(root));
        }
    }
}

/// Classes that the derive is for.
fn classes_of_ours<'a>(view: &'a View<'_>) -> Vec<&'a TypeDef> {
    let is_ours = |ty: &&TypeDef| {
        ty.class.as_ref().is_some_and(|marker| marker.owner == Owner::Ours && !marker.is_left_alone())
    };
    view.model.types.iter().filter(is_ours).collect()
}

/// `Arc`s with Python objects in them that several classes hold.
fn find_shared(view: &View<'_>, edits: &mut Edits, decisions: &mut Decisions) {
    let holdings = Holdings::new(&view.model, &view.names);
    let mut holders: Vec<(String, &TypeDef, &crate::model::Field)> = Vec::new();
    for class in classes_of_ours(view) {
        for field in class.fields.iter().filter(|field| !field.is_excluded) {
            let shared = shared_in(&field.ty, class, &holdings);
            holders.extend(shared.into_iter().map(|shared| (shared, class, field)));
        }
    }
    for (shared, class, field) in &holders {
        let others = holders.iter().filter(|(other, owner, _)| other == shared && owner.name != class.name);
        let mut others: Vec<_> = others.map(|(_, owner, _)| format!("`{}`", owner.name)).collect();
        others.sort();
        others.dedup();
        if !others.is_empty() {
            let why = format!("holds an `{shared}`, as does {}", others.join(", "));
            let is_alone = view.sources.files[field.at.file].text[..field.at.start]
                .trim_end_matches(' ')
                .ends_with('\n');
            note(view, if is_alone { field.at } else { class.head_at }, &why, edits);
            decisions.add(Topic::SharedArc, view, class, Some(field), &why);
        }
    }
}

impl Summary {
    pub(crate) fn text(&self) -> String {
        let mut text = self.diff.clone().unwrap_or_default();
        let mut decisions: Vec<_> = self.decisions.iter().collect();
        decisions.sort_by_key(|decision| decision.topic);
        let mut topic = None;
        for decision in decisions {
            if topic != Some(decision.topic) {
                topic = Some(decision.topic);
                let gap = if text.is_empty() { "" } else { "\n" };
                let _ = writeln!(text, "{gap}{}: {}", decision.topic.title(), decision.choices);
            }
            let _ = writeln!(text, "  {}:{}: {}", decision.file, decision.line, decision.what);
        }
        let gap = if text.is_empty() { "" } else { "\n" };
        let _ = writeln!(
            text,
            "{gap}{}, {} derived, +{} -{} lines, {}, {} left",
            counted(self.classes, "class", "classes"),
            counted(self.types, "type", "types"),
            self.lines_added,
            self.lines_removed,
            counted(self.rounds, "round", "rounds"),
            counted(self.decisions.len(), "decision", "decisions"),
        );
        if self.errors > 0 {
            let _ = writeln!(text, "{} left for you: see above", counted(self.errors, "error", "errors"));
        }
        text
    }
}
