//! The tree that is to be changed: whether git can restore it, and a copy for a dry run.

use std::fs;
use std::io::{self, BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use toml_edit::{DocumentMut, Item, Value};

use crate::project::Project;

/// Asks before a tree is changed that git can't restore.
pub(crate) fn ask(project: &Project) -> Result<()> {
    let Some(state) = unsafe_state(project)? else { return Ok(()) };
    if !io::stdin().is_terminal() {
        bail!("{state}: commit first, or pass `--yes`");
    }
    eprint!("{state}. Change it all the same? [y/N] ");
    io::stderr().flush()?;
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer)?;
    if !["y", "yes"].contains(&answer.trim().to_lowercase().as_str()) {
        bail!("nothing was changed");
    }
    Ok(())
}

/// Why git couldn't restore the tree, if it couldn't.
fn unsafe_state(project: &Project) -> Result<Option<String>> {
    let root = &project.workspace_root;
    let mut command = Command::new("git");
    command.current_dir(root).args(["status", "--porcelain", "--", "."]);
    command.args(project.crates.iter().filter_map(|krate| krate.manifest.parent()));
    let status = command.output();
    let status = match status {
        Ok(status) if status.status.success() => String::from_utf8_lossy(&status.stdout).into_owned(),
        Ok(_) => return Ok(Some(format!("{} is in no git repository", root.display()))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Ok(Some(format!(
                "git isn't installed, so that nothing could restore {}",
                root.display()
            )));
        }
        Err(error) => return Err(error).context("can't run git"),
    };
    // Of untracked files, only sources matter: others aren't touched.
    let matters = |line: &&str| match line.strip_prefix("?? ") {
        Some(path) => {
            path.ends_with('/')
                || Path::new(path).extension().is_some_and(|kind| kind == "rs" || kind == "toml")
        }
        None => true,
    };
    Ok(status.lines().find(matters).map(|line| {
        format!("{} has uncommitted changes ({})", root.display(), line.get(3..).unwrap_or(line))
    }))
}

/// How to undo a port that was interrupted.
pub(crate) fn undo(root: &Path) -> String {
    format!("`git -C {} checkout -- .` puts them back", root.display())
}

/// A copy of a project, without build output.
pub(crate) struct Copied {
    folder: PathBuf,
    original: PathBuf,
}

impl Copied {
    pub(crate) fn of(project: &Project) -> Result<Self> {
        let crates = project.crates.iter().filter_map(|krate| krate.manifest.parent());
        let holds_all = |folder: &&Path| crates.clone().all(|krate| krate.starts_with(folder));
        let original = project.workspace_root.ancestors().find(holds_all).unwrap_or(&project.workspace_root);
        let folder = std::env::temp_dir().join(format!("pyo3-gc-port-{}", std::process::id()));
        let copied = Self { folder, original: original.to_owned() };
        copy(original, &copied.folder, original)?;
        Ok(copied)
    }

    /// The copied project.
    pub(crate) fn load(&self, project: &Project) -> Result<Project> {
        let base = self.path()?;
        Project::load_in(&base.join(project.root.strip_prefix(&self.original)?), Some(base))
    }

    /// As cargo names its files.
    pub(crate) fn path(&self) -> Result<PathBuf> {
        Ok(self.folder.canonicalize()?)
    }
}

impl Drop for Copied {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_dir_all(&self.folder) {
            eprintln!("can't remove {}: {error}", self.folder.display());
        }
    }
}

fn copy(from: &Path, to: &Path, base: &Path) -> Result<()> {
    fs::create_dir_all(to).with_context(|| format!("can't make {}", to.display()))?;
    for entry in fs::read_dir(from).with_context(|| format!("can't read {}", from.display()))? {
        let entry = entry?;
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        let name = entry.file_name();
        let is_built = ["target", ".git", ".venv", "node_modules"].iter().any(|skipped| name == *skipped);
        let kind = entry.file_type()?;
        if is_built {
            continue;
        }
        if kind.is_dir() {
            copy(&source, &target, base)?;
        } else if kind.is_file() {
            fs::copy(&source, &target).with_context(|| format!("can't copy {}", source.display()))?;
            if name == "Cargo.toml" {
                point_outside(&target, from, base)?;
            }
        } else if kind.is_symlink() && source.is_file() {
            fs::copy(&source, &target).with_context(|| format!("can't copy {}", source.display()))?;
        }
    }
    Ok(())
}

/// A path that leads out of what is copied is written from the root of the file system.
fn point_outside(manifest: &Path, original: &Path, base: &Path) -> Result<()> {
    let text = fs::read_to_string(manifest)?;
    let Ok(mut document) = text.parse::<DocumentMut>() else { return Ok(()) };
    let mut changed = false;
    let mut pending: Vec<&mut Item> = document.as_table_mut().iter_mut().map(|(_, item)| item).collect();
    while let Some(item) = pending.pop() {
        let Some(table) = item.as_table_like_mut() else { continue };
        for (key, inner) in table.iter_mut() {
            match inner.as_str() {
                Some(path) if key == "path" && path.starts_with("..") => {
                    if let Ok(full) = original.join(path).canonicalize() {
                        if !full.starts_with(base) {
                            *inner = Item::Value(Value::from(full.display().to_string()));
                            changed = true;
                        }
                    }
                }
                _ => pending.push(inner),
            }
        }
    }
    if changed {
        fs::write(manifest, document.to_string())?;
    }
    Ok(())
}
