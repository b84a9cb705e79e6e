//! The crates that a path stands for, as cargo knows them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, io};

use anyhow::{Context, Result, bail};
use cargo_metadata::semver::Version;
use cargo_metadata::{CargoOpt, DependencyKind, Metadata, MetadataCommand, Package, TargetKind};

/// Cargo packages by which a project is built with PyO3.
const PYO3: &str = "pyo3";
const PYO3_GC: &str = "pyo3-gc";

pub(crate) struct Project {
    /// The folder of the manifest that was asked for.
    pub(crate) root: PathBuf,
    pub(crate) workspace_root: PathBuf,
    /// What is the project's own lies in here: its git repository, or else its workspace.
    pub(crate) base: PathBuf,
    /// Where cargo builds.
    pub(crate) target: PathBuf,
    /// The crates that depend on PyO3.
    pub(crate) crates: Vec<Crate>,
}

pub(crate) struct Crate {
    pub(crate) name: String,
    pub(crate) manifest: PathBuf,
    /// What the source calls PyO3.
    pub(crate) pyo3: String,
    /// What the source calls pyo3-gc, if the crate depends on it.
    pub(crate) gc: Option<String>,
    /// The root files of its library and programs.
    pub(crate) roots: Vec<PathBuf>,
    /// What the source calls the crates that it depends on.
    pub(crate) externs: BTreeSet<String>,
    /// The packages that it depends on, at the versions that cargo has settled on.
    pub(crate) dependencies: BTreeMap<String, Version>,
    /// PyO3's feature of that name is on.
    pub(crate) has_multiple_pymethods: bool,
}

/// A file that cargo may make or change where it was only asked something.
pub(crate) struct Lock {
    path: PathBuf,
    pub(crate) text: Option<String>,
}

impl Lock {
    pub(crate) fn remember(path: PathBuf) -> Result<Self> {
        let text = match fs::read_to_string(&path) {
            Ok(text) => Some(text),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error).with_context(|| format!("can't read {}", path.display())),
        };
        Ok(Self { path, text })
    }

    pub(crate) fn restore(&self) -> Result<()> {
        match &self.text {
            None if self.path.exists() => fs::remove_file(&self.path),
            Some(text) if fs::read_to_string(&self.path)? != *text => fs::write(&self.path, text),
            _ => return Ok(()),
        }
        .with_context(|| format!("can't restore {}", self.path.display()))
    }
}

impl Project {
    /// Asks cargo. Leaves no file behind that wasn't there before.
    pub(crate) fn load(path: &Path) -> Result<Self> {
        Self::load_in(path, None)
    }

    /// The same for one of which it is known what is its own.
    pub(crate) fn load_in(path: &Path, base: Option<PathBuf>) -> Result<Self> {
        let manifest = manifest_of(path)?;
        let mut command = MetadataCommand::new();
        // PyO3 may be optional.
        command.manifest_path(&manifest).features(CargoOpt::AllFeatures);
        let names = command.clone().no_deps().exec().with_context(|| unreadable(&manifest))?;
        let workspace_root = names.workspace_root.into_std_path_buf();
        let lock = Lock::remember(workspace_root.join("Cargo.lock"))?;
        let metadata = command.exec().with_context(|| unreadable(&manifest));
        lock.restore()?;
        let metadata = metadata?;
        let base = base.or_else(|| repository_of(&workspace_root)).unwrap_or_else(|| workspace_root.clone());
        let mut crates = Vec::new();
        for package in own_packages(&manifest, &base, &metadata) {
            crates.extend(Crate::of(package, &metadata)?);
        }
        if crates.is_empty() {
            bail!("no crate here depends on PyO3: {}", manifest.display());
        }
        let root = manifest.parent().context("the manifest has no folder")?.to_owned();
        let target = metadata.target_directory.into_std_path_buf();
        Ok(Self { root, workspace_root, base, target, crates })
    }

    /// Has cargo write its lock file.
    pub(crate) fn resolve(&self) -> Result<()> {
        let manifest = self.root.join("Cargo.toml");
        MetadataCommand::new().manifest_path(&manifest).exec().with_context(|| unreadable(&manifest))?;
        Ok(())
    }

    /// A path as it is shown: from the folder that was asked for.
    pub(crate) fn shown(&self, path: &Path) -> String {
        let folders = [&self.root, &self.workspace_root, &self.base];
        let shown = folders.into_iter().find_map(|folder| path.strip_prefix(folder).ok());
        shown.unwrap_or(path).display().to_string().replace('\\', "/")
    }
}

impl Crate {
    /// Nothing for a package that doesn't depend on PyO3.
    fn of(package: &Package, metadata: &Metadata) -> Result<Option<Self>> {
        let normal = |name: &str| {
            let dependency = package
                .dependencies
                .iter()
                .find(|dependency| dependency.name == name && dependency.kind == DependencyKind::Normal)?;
            Some(identifier(dependency.rename.as_deref().unwrap_or(&dependency.name)))
        };
        let Some(pyo3) = normal(PYO3) else { return Ok(None) };
        let resolve = metadata.resolve.as_ref().context("cargo resolved no dependencies")?;
        let node = resolve.nodes.iter().find(|node| node.id == package.id);
        let node = node.with_context(|| format!("cargo resolved nothing for {}", package.name))?;
        let resolved: Vec<_> = node.dependencies.iter().map(|id| &metadata[id]).collect();
        let used = resolved.iter().find(|package| package.name.as_str() == PYO3);
        let used = used.with_context(|| format!("cargo resolved no PyO3 for {}", package.name))?;
        check_version(&package.name, &used.version, package.manifest_path.as_std_path())?;
        let features = resolve.nodes.iter().find(|node| node.id == used.id).map(|node| &node.features);
        let dependencies = package.dependencies.iter();
        let externs = dependencies
            .map(|dependency| identifier(dependency.rename.as_deref().unwrap_or(&dependency.name)))
            .chain(["std", "core", "alloc"].map(str::to_owned))
            .collect();
        let is_source = |kind: &TargetKind| {
            !matches!(
                kind,
                TargetKind::CustomBuild | TargetKind::Test | TargetKind::Bench | TargetKind::Example
            )
        };
        let roots = package.targets.iter().filter(|target| target.kind.iter().all(is_source));
        Ok(Some(Self {
            name: package.name.to_string(),
            manifest: package.manifest_path.clone().into_std_path_buf(),
            pyo3,
            gc: normal(PYO3_GC),
            roots: roots.map(|target| target.src_path.clone().into_std_path_buf()).collect(),
            externs,
            dependencies: resolved
                .iter()
                .filter(|used| normal(&used.name).is_some())
                .map(|used| (used.name.to_string(), used.version.clone()))
                .collect(),
            has_multiple_pymethods: features
                .into_iter()
                .flatten()
                .any(|name| name.as_str() == "multiple-pymethods"),
        }))
    }
}

/// The packages that were asked for, and those that they depend on by a path in the same project.
fn own_packages<'a>(manifest: &Path, base: &Path, metadata: &'a Metadata) -> Vec<&'a Package> {
    let is_workspace = manifest.parent() == Some(metadata.workspace_root.as_std_path());
    let members = metadata.workspace_packages().into_iter();
    let mut own: Vec<_> =
        members.filter(|package| is_workspace || package.manifest_path.as_std_path() == manifest).collect();
    let nodes = metadata.resolve.iter().flat_map(|resolve| &resolve.nodes);
    let mut next = 0;
    while let Some(package) = own.get(next).copied() {
        next += 1;
        for id in nodes.clone().filter(|node| node.id == package.id).flat_map(|node| &node.dependencies) {
            let found = &metadata[id];
            let is_own = found.source.is_none()
                && found.manifest_path.as_std_path().starts_with(base)
                && ![PYO3_GC, "pyo3-gc-macros"].contains(&found.name.as_str());
            if is_own && !own.iter().any(|known| known.id == found.id) {
                own.push(found);
            }
        }
    }
    own
}

fn repository_of(folder: &Path) -> Option<PathBuf> {
    let output =
        Command::new("git").current_dir(folder).args(["rev-parse", "--show-toplevel"]).output().ok()?;
    let path = PathBuf::from(String::from_utf8(output.stdout).ok()?.trim_end());
    // As cargo names its files.
    output.status.success().then(|| path.canonicalize().ok()).flatten()
}

/// From 0.28.3 to before 0.31, as pyo3-gc has it.
fn check_version(name: &str, version: &Version, manifest: &Path) -> Result<()> {
    if version.major != 0 || !(28..31).contains(&version.minor) || (version.minor == 28 && version.patch < 3)
    {
        bail!(
            "`{name}` builds with PyO3 {version}: pyo3-gc works with 0.28.3 to 0.30; change the version in {} first",
            manifest.display()
        );
    }
    Ok(())
}

fn manifest_of(path: &Path) -> Result<PathBuf> {
    let path = path.canonicalize().with_context(|| format!("there is no {}", path.display()))?;
    let manifest = if path.is_dir() { path.join("Cargo.toml") } else { path };
    if manifest.file_name() != Some("Cargo.toml".as_ref()) {
        bail!("neither a folder nor a Cargo.toml: {}", manifest.display());
    }
    if !manifest.is_file() {
        bail!("there is no Cargo.toml in {}", manifest.with_file_name("").display());
    }
    Ok(manifest)
}

fn unreadable(manifest: &Path) -> String {
    format!("cargo can't read the project of {}", manifest.display())
}

fn identifier(package: &str) -> String {
    package.replace('-', "_")
}
