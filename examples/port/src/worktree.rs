//! The tree that is to be changed: whether git can restore it, and a copy for a dry run.

use std::fs;
use std::io::{self, BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use toml_edit::{DocumentMut, Item, Value};

/// Asks before a tree is changed that git can't restore.
pub(crate) fn ask(root: &Path) -> Result<()> {
    let Some(state) = unsafe_state(root)? else { return Ok(()) };
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
fn unsafe_state(root: &Path) -> Result<Option<String>> {
    let status = Command::new("git").current_dir(root).args(["status", "--porcelain", "--", "."]).output();
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

/// A copy of a workspace, without build output.
pub(crate) struct Copied {
    folder: PathBuf,
}

impl Copied {
    pub(crate) fn of(root: &Path) -> Result<Self> {
        let name = format!("pyo3-gc-port-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        let copied = Self { folder };
        copy(root, &copied.folder)?;
        // As cargo names its files.
        Ok(copied)
    }

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

fn copy(from: &Path, to: &Path) -> Result<()> {
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
            copy(&source, &target)?;
        } else if kind.is_file() {
            fs::copy(&source, &target).with_context(|| format!("can't copy {}", source.display()))?;
            if name == "Cargo.toml" {
                point_outside(&target, from)?;
            }
        } else if kind.is_symlink() && source.is_file() {
            fs::copy(&source, &target).with_context(|| format!("can't copy {}", source.display()))?;
        }
    }
    Ok(())
}

/// A path that leads out of the folder of its manifest is written from the root of the file system. One that leads to another
/// member does, too, which is only a dry run's concern if both are changed: members are named by `workspace` as well.
fn point_outside(manifest: &Path, original: &Path) -> Result<()> {
    let text = fs::read_to_string(manifest)?;
    let Ok(mut document) = text.parse::<DocumentMut>() else { return Ok(()) };
    let root = workspace_root(original);
    let mut changed = false;
    let mut pending: Vec<&mut Item> = document.as_table_mut().iter_mut().map(|(_, item)| item).collect();
    while let Some(item) = pending.pop() {
        let Some(table) = item.as_table_like_mut() else { continue };
        for (key, inner) in table.iter_mut() {
            match inner.as_str() {
                Some(path) if key == "path" && path.starts_with("..") => {
                    if let Ok(full) = original.join(path).canonicalize() {
                        if !full.starts_with(&root) {
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

/// The uppermost folder with a manifest.
fn workspace_root(folder: &Path) -> PathBuf {
    let with_manifest = folder.ancestors().take_while(|folder| folder.join("Cargo.toml").is_file());
    with_manifest.last().unwrap_or(folder).to_owned()
}
