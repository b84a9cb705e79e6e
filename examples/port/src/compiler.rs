//! What cargo and rustc say of a project.

use std::io::{BufRead, BufReader, IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use cargo_metadata::diagnostic::{DiagnosticLevel, DiagnosticSpan};
use cargo_metadata::{CompilerMessage, Message};

use crate::project::Project;

/// Set by Ctrl-C.
pub(crate) static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// How often a running cargo is looked at.
const POLL: Duration = Duration::from_millis(40);

#[derive(Debug)]
pub(crate) struct Interrupted;

impl std::fmt::Display for Interrupted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("interrupted")
    }
}

impl std::error::Error for Interrupted {}

/// A place that rustc names: lines and columns from 1, in characters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Spot {
    pub(crate) file: PathBuf,
    pub(crate) line: usize,
    pub(crate) column: usize,
    pub(crate) is_primary: bool,
}

/// An error or a warning.
#[derive(Clone)]
pub(crate) struct Said {
    pub(crate) is_error: bool,
    pub(crate) code: String,
    pub(crate) message: String,
    pub(crate) rendered: String,
    /// In the order of the message, and behind them those of its notes.
    pub(crate) spots: Vec<Spot>,
    pub(crate) notes: Vec<(String, Vec<Spot>)>,
    /// What rustc itself would put right.
    pub(crate) removals: Vec<(PathBuf, std::ops::Range<usize>)>,
}

pub(crate) struct Compiled {
    pub(crate) said: Vec<Said>,
    /// What cargo itself says, where it fails before any compiler does.
    pub(crate) stderr: String,
    pub(crate) is_success: bool,
}

impl Compiled {
    pub(crate) fn errors(&self) -> impl Iterator<Item = &Said> {
        self.said.iter().filter(|said| said.is_error)
    }

    /// The texts of the first errors, as people read them.
    pub(crate) fn shown(&self, most: usize) -> String {
        let texts: Vec<_> = self.errors().map(|error| error.rendered.trim_end()).take(most).collect();
        if texts.is_empty() { self.stderr.clone() } else { texts.join("\n\n") }
    }
}

/// Runs `cargo check` on the crates of a project.
pub(crate) fn check(project: &Project, options: &[String]) -> Result<Compiled> {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(&project.root).args(["check", "--message-format=json", "--keep-going"]);
    for krate in &project.crates {
        command.args(["-p", &krate.name]);
    }
    command.args(options).env("CARGO_TARGET_DIR", &project.target);
    // Its progress, if somebody looks on.
    let is_watched = std::io::stderr().is_terminal();
    command.stdin(Stdio::null()).stdout(Stdio::piped());
    command.stderr(if is_watched { Stdio::inherit() } else { Stdio::piped() });
    let mut child = command.spawn().context("can't start cargo")?;
    let stdout = child.stdout.take().context("cargo has no output")?;
    let stderr = child.stderr.take();
    let messages =
        thread::spawn(move || BufReader::new(stdout).lines().map_while(Result::ok).collect::<Vec<_>>());
    let words = thread::spawn(move || {
        let mut text = String::new();
        if let Some(mut stderr) = stderr {
            // What can't be read is only not shown.
            let _ = stderr.read_to_string(&mut text);
        }
        text
    });
    let status = loop {
        if INTERRUPTED.load(Ordering::SeqCst) {
            // It may be gone already: the terminal interrupts it as well.
            let _ = child.kill();
            child.wait()?;
            bail!(Interrupted);
        }
        match child.try_wait()? {
            Some(status) => break status,
            None => thread::sleep(POLL),
        }
    };
    let lines = messages.join().ok().context("cargo's messages can't be read")?;
    let stderr = words.join().unwrap_or_default();
    let mut said: Vec<Said> = Vec::new();
    for line in lines {
        if let Ok(Message::CompilerMessage(message)) = serde_json::from_str(&line) {
            let found = Said::of(&message, project);
            // An incremental build repeats some.
            if !said.iter().any(|known| known.message == found.message && known.spots == found.spots) {
                said.push(found);
            }
        }
    }
    Ok(Compiled { said, stderr, is_success: status.success() })
}

impl Said {
    fn of(message: &CompilerMessage, project: &Project) -> Self {
        // A member of the workspace is compiled from its root, any other package from its own folder.
        let source = message.target.src_path.as_std_path();
        let own = source.ancestors().find(|folder| folder.join("Cargo.toml").is_file());
        let is_member = source.starts_with(&project.workspace_root);
        let root = own.filter(|_| !is_member).unwrap_or(&project.workspace_root);
        let folders: Vec<_> = project.crates.iter().filter_map(|krate| krate.manifest.parent()).collect();
        let spots =
            |spans: &[DiagnosticSpan]| spans.iter().filter_map(|span| spot(span, root, &folders)).collect();
        let message = &message.message;
        let notes =
            message.children.iter().map(|child| (child.message.clone(), spots(&child.spans))).collect();
        let removals = message
            .children
            .iter()
            .flat_map(|child| &child.spans)
            .filter(|span| span.suggested_replacement.as_deref() == Some(""));
        let removals = removals
            .map(|span| (root.join(&span.file_name), span.byte_start as usize..span.byte_end as usize))
            .collect();
        Self {
            is_error: matches!(message.level, DiagnosticLevel::Error | DiagnosticLevel::Ice),
            code: message.code.as_ref().map(|code| code.code.clone()).unwrap_or_default(),
            message: message.message.clone(),
            rendered: message.rendered.clone().unwrap_or_default(),
            spots: spots(&message.spans),
            notes,
            removals,
        }
    }

    pub(crate) fn primary(&self) -> Option<&Spot> {
        self.spots.iter().find(|spot| spot.is_primary)
    }
}

/// Where a span is in the project: a macro of another crate points into that, and its call is here.
fn spot(span: &DiagnosticSpan, root: &Path, folders: &[&Path]) -> Option<Spot> {
    let mut inner = span;
    loop {
        let file = root.join(&inner.file_name);
        let file = file.canonicalize().unwrap_or(file);
        if folders.iter().any(|folder| file.starts_with(folder)) && file.is_file() {
            return Some(Spot {
                file,
                line: inner.line_start,
                column: inner.column_start,
                is_primary: span.is_primary,
            });
        }
        inner = &inner.expansion.as_ref()?.span;
    }
}
